/**
 * `npm run pictures`: plays a story in the local Slack and leaves pictures of what people see in `docs/`. The blocks are what
 * the adapter posted; a real browser draws them. Needs redis-server and Chromium.
 */
import { until } from '../adapters/slack/support.ts'
import { startWhole, threadOf, type Whole } from '../adapters/slack/whole.ts'
import type { FakeMessage } from '../fakes/slack/state.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { chromium, redisServer } from '../support/programs.ts'
import { draw } from './shared.ts'
import { homeHtml, messageHtml, pageHtml } from './slack-html.ts'
import { overnight, request, startStory } from './story.ts'

if (redisServer === null || chromium === null) {
  console.error('The pictures need redis-server and Chromium, which are not both on this machine.')
  process.exit(2)
}
const server = await startNativeRedis(redisServer)
const story = await startStory()
const whole = await startWhole(server.url(), 'socket', { settings: story.settings })
const pages = await play(whole).finally(async () => {
  await whole.stop()
  await server.stop()
  await story.stop()
})
story.assertTold()
await draw(pages)

async function play(clew: Whole): Promise<Record<string, string>> {
  const { people, state } = clew.slack
  const said = people.mention('C1', 'UANA', request)
  const thread = threadOf(clew.slack, 'C1', said.ts)
  const asked = await thread.question()
  await until(
    () => thread.plan()?.text.includes('Waiting') && thread.reactions(said.ts).includes('eyes'),
  )
  const before = messagesHtml(clew, thread.messages())

  const inAWeek = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 10)
  const todo = people.direct('UANA', `todo add Send the invoice --due ${inAWeek}`)
  await threadOf(clew.slack, todo.channel, todo.ts).saying(/invoice/)
  await people.command(
    'C2',
    'UANA',
    '/schedule',
    'add every weekday at 9:00 List what is due today',
  )
  await people.openHome('UANA')
  const home = await until(() => state.views.get('UANA'))

  await people.click('C1', 'UANA', asked.ts, overnight)
  story.goOn()
  await thread.saying(/: done\./)
  await until(() => thread.plan()?.text.endsWith(': Done'))
  const after = messagesHtml(clew, thread.messages())
  return {
    'slack-thread': pageHtml([
      { heading: 'Thread · while it asks', html: before },
      { heading: 'The same thread · once it was answered', html: after },
    ]),
    'slack-home': pageHtml([
      { heading: 'Home', html: homeHtml((home as { blocks: unknown[] }).blocks) },
    ]),
  }
}

function messagesHtml({ slack: { state } }: Whole, messages: readonly FakeMessage[]): string {
  const shown = messages.map(({ user, text, blocks, reactions }) =>
    messageHtml({
      name: state.users.get(user)?.name ?? user,
      isApp: user === state.bot.user,
      text: text.replace(`<@${state.bot.user}>`, '@Clew'),
      blocks,
      reactions: Array.from(reactions, ([name, who]) => (who.size > 0 ? name : '')).filter(Boolean),
    }),
  )
  return shown.join('')
}
