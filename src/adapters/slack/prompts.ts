import { inOrder } from '../../agent/commands/todo-views.ts'
import type { Author } from '../../agent/domain/message.ts'
import { present } from '../../agent/domain/present.ts'
import { ownerOf } from '../../agent/domain/run.ts'
import { texts } from '../../locales/texts.ts'
import { shortened } from '../text.ts'
import { Anything } from './api.ts'
import type { Slack } from './context.ts'

interface Prompt {
  title: string
  message: string
}

/** Limits of Slack's suggested prompts: four of them, a line each. */
const most = { prompts: 4, title: 60, message: 500, runs: 50 }
const dayMs = 24 * 60 * 60 * 1_000

/**
 * C187: suggests prompts to a person who opens their messages with Clew: about to-dos due within a
 * day, their next schedule there, and their last task. Without any of these, the app's default
 * prompts stay. Never throws.
 */
export async function suggest(
  slack: Slack,
  workspace: string,
  channel: string,
  user: string,
): Promise<void> {
  try {
    const known = await slack.people.who(workspace, user)
    const { slack: words } = texts(known?.locale ?? slack.deps.defaults.locale)
    const place = { workspace, channel, person: { id: user, name: known?.name ?? user } }
    const prompts = await promptsFor(slack, place, words)
    if (prompts.length === 0) return
    // In an agent's messages, no thread may be named here.
    const args = {
      channel_id: channel,
      title: words.suggested.title,
      prompts: prompts.slice(0, most.prompts),
    }
    await slack.api.call(workspace, 'assistant.threads.setSuggestedPrompts', args, Anything, {
      minor: true,
    })
  } catch (error) {
    slack.deps.log.warn({ err: error }, 'suggested prompts not set')
  }
}

async function promptsFor(
  { deps }: Slack,
  place: { workspace: string; channel: string; person: Author },
  { suggested }: ReturnType<typeof texts>['slack'],
): Promise<Prompt[]> {
  const { clock, todos, schedules, runs } = deps
  const scope = deps.scopeOf(place)
  const soon = clock.now() + dayMs
  const [open, planned, all] = await Promise.all([
    todos.list(place.workspace, scope),
    schedules.list(place.workspace, scope),
    runs.list(place.workspace, most.runs),
  ])
  const due = inOrder(open).filter(
    ({ doneAt, dueAt }) => doneAt === null && dueAt !== null && dueAt <= soon,
  )
  const [next] = planned
    .filter(({ nextAt, paused }) => nextAt !== null && !paused)
    .toSorted((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0))
  const last = all.find((run) => ownerOf(run)?.id === place.person.id && run.schedule === undefined)
  return present([
    ...due.slice(0, 2).map(({ text }) => prompt(suggested.due(text), suggested.helpWith(text))),
    next !== undefined && prompt(suggested.runNow(next.title), `schedule run ${next.id}`),
    last !== undefined && prompt(suggested.again(last.title), last.title),
  ])
}

const prompt = (title: string, message: string): Prompt => ({
  title: shortened(title, most.title),
  message: shortened(message, most.message),
})
