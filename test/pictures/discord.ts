/**
 * `npm run pictures`: plays a story in the local Discord and leaves pictures of what people see in `docs/`. What is drawn is
 * what the adapter posted. Needs Chromium.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { startInDiscord } from '../adapters/discord/whole.ts'
import type { Interaction } from '../fakes/discord/interactions.ts'
import { labelsOf, type Person, textOf } from '../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/server.ts'
import type { Channel, Message } from '../fakes/discord/world.ts'
import { chromium } from '../support/programs.ts'
import { commandHtml, messageHtml, modalHtml, pageHtml } from './discord-html.ts'
import { draw } from './shared.ts'
import { overnight, request, startStory } from './story.ts'

if (chromium === null) {
  console.error('The pictures need Chromium, which is not on this machine.')
  process.exit(2)
}
const story = await startStory()
const discord = await startFakeDiscord()
const general = discord.channel(discord.guild('Team'), 'general')
const running = await startInDiscord({ discord, env: story.settings })
const pages = await play(discord, general).finally(async () => {
  await running.stop()
  await story.stop()
})
story.assertTold()
await draw(pages)

async function play({ world, until, person, commands }: FakeDiscord, channel: Channel) {
  const [ana, ben] = [person('Ana'), person('Ben')]
  await until(() => commands.has(''), 'the commands')
  const ours = (place: Channel) => place.messages.filter(({ author }) => author.id === world.bot.id)

  const asked = ana.says(channel, `<@${world.bot.id}> ${request}`)
  const thread = await until(() => world.channels.get(asked.id), 'a thread')
  const question = await until(
    () => ours(thread).find((one) => labelsOf(one).length > 1),
    'a question',
  )
  await until(
    () => ours(thread).some((one) => /Waiting for an answer/.test(textOf(one))),
    'the waiting plan',
  )
  const before = [asked, ...thread.messages].map(drawn).join('')
  const form = ben.clicks(question, 'Answer in my own words')
  await until(() => form.answered, 'a form')
  ben.clicks(question, overnight)
  const changed = await until(
    () => ours(thread).find((one) => /Ben changed the request/.test(textOf(one))),
    'the change',
  )
  const between = drawn(changed)
  story.goOn()
  await until(
    () => ours(thread).some((one) => /Book Casa do Rio\./.test(textOf(one))),
    'the report',
  )
  await until(() => ours(thread).some((one) => /\nDone\n/.test(textOf(one))), 'the finished plan')
  const after = thread.messages
    .filter(({ id }) => id >= question.id)
    .map(drawn)
    .join('')

  const private_: string[] = []
  const run = async (path: string[], options: Parameters<Person['runs']>[2], line: string) => {
    const { ephemeral }: Interaction = ana.runs(channel, path, options)
    const content = await until(() => ephemeral[0], line)
    const shown = { name: 'Clew', isApp: true, content, components: [], reactions: [], only: true }
    private_.push(commandHtml('Ana', line), messageHtml(shown))
    // Discord takes five messages in five seconds.
    await wait(300)
  }
  await run(
    ['todo', 'add'],
    { text: 'Send the invoice', due: '2031-03-07 10:00', tag: 'money' },
    '/todo add',
  )
  await run(
    ['schedule', 'add'],
    { when: 'every weekday at 9', what: 'List what is due today' },
    '/schedule add',
  )
  await run(['todo', 'list'], {}, '/todo list')

  return {
    'discord-thread': pageHtml([
      {
        heading: 'Thread · while it asks',
        html: before + heading('What the answer changes') + between,
      },
      { heading: 'The same thread · when it is done', html: after },
    ]),
    'discord-commands': pageHtml([
      { heading: '# general', html: private_.join('') },
      { heading: 'Answer in my own words', html: modalHtml(form.answered?.data ?? {}) },
    ]),
  }

  function heading(text: string): string {
    return `<h2>${text}</h2>`
  }

  function drawn({ author, content, components, reactions }: Message): string {
    const named = content.replace(
      /<@(\d+)>/g,
      (_, id) => `<@${world.users.get(id)?.global_name ?? id}>`,
    )
    const isApp = author.id === world.bot.id
    const signs = [...reactions.keys()]
    return messageHtml({
      name: author.global_name ?? author.username,
      isApp,
      content: named,
      components,
      reactions: signs,
    })
  }
}
