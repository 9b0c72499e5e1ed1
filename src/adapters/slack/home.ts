import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { hasEnded, type Run } from '../../agent/domain/run.ts'
import type { Log } from '../../agent/ports/log.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { defang } from '../safety.ts'
import type { Api } from './api.ts'
import { actions, type Block, button, context, header, section, short } from './blocks.ts'
import type { HomeItem, HomeReader, SlackDeps } from './deps.ts'
import { limits } from './limits.ts'
import { escapeText, lineInMrkdwn } from './mrkdwn.ts'
import type { People } from './people.ts'
import { actionIds } from './render.ts'
import { controlButtons } from './render-plan.ts'
import { openDirect } from './whisper.ts'

const Anything = z.looseObject({})
const Channels = z.looseObject({ channels: z.array(z.looseObject({ id: z.string() })) })
const runsRead = 200
const shownMost = 10

export interface HomeTab {
  /** Shows a person's own things on Clew's Home tab; `direct` is their channel with Clew, if known. Never throws. */
  publish(workspace: string, person: string, direct?: string | null): Promise<void>
}

export function createHomeTab(
  deps: Pick<SlackDeps, 'conversations' | 'runs' | 'home' | 'defaults'> & { api: Api; people: People; log: Log },
): HomeTab {
  async function taskBlocks(workspace: string, run: Run, words: Texts): Promise<Block[]> {
    const { slack } = words
    const state = run.conversationId === null ? null : await deps.conversations.state(workspace, run.conversationId, 0)
    const question = state?.questions.find(({ runId }) => runId === run.id)
    const buttons = controlButtons(run.status, run.id, words)
    const line = section(`*${plainly(short(run.title, 200))}*\n${slack.status[run.status]}`)
    if (question !== undefined) {
      const choices = question.choices.map((choice, index) => button(actionIds.answer(index), question.id, choice))
      return [line, section(plainly(question.text)), actions([...choices, ...buttons])]
    }
    return [line, actions(buttons)]
  }

  const directs = new LRUCache<string, string>({ max: limits.profilesInMemory })

  /** A person's channel with Clew, whose to-dos and schedules are theirs. */
  async function directOf(workspace: string, person: string, given: string | null): Promise<string | null> {
    const name = `${workspace} ${person}`
    const known = given ?? directs.get(name)
    if (known !== undefined) {
      directs.set(name, known)
      return known
    }
    const opened = await openDirect(deps.api, workspace, person)
    if (opened.kind !== 'ready') return null
    directs.set(name, opened.where.channel)
    return opened.where.channel
  }

  /** The channels that a person and Clew are in. */
  async function sharedWith(workspace: string, person: string): Promise<string[]> {
    const types = 'public_channel,private_channel,mpim'
    const args = { user: person, types, exclude_archived: true, limit: limits.homeChannels }
    const answer = await deps.api.call(workspace, 'users.conversations', args, Channels, { minor: true })
    return answer.ok ? answer.value.channels.map(({ id }) => id) : []
  }

  async function sectionsOf(reader: HomeReader): Promise<Block[]> {
    const blocks: Block[] = []
    for (const part of deps.home ?? []) {
      const { title, hint, items } = await part(reader)
      blocks.push(header(title))
      if (items.length === 0) blocks.push(context(lineInMrkdwn(hint)))
      for (const [index, item] of items.slice(0, shownMost).entries())
        blocks.push(...itemBlocks(item, `${blocks.length}:${index}`))
    }
    return blocks
  }

  async function view(workspace: string, person: string, given: string | null): Promise<Block[]> {
    const known = await deps.people.who(workspace, person)
    const locale = known?.locale ?? deps.defaults.locale
    const timeZone = known?.timeZone ?? deps.defaults.timeZone
    const words = texts(locale)
    const { home } = words.slack
    const runs = await deps.runs.list(workspace, runsRead)
    const open = runs.filter((run) => ownerOf(run) === person && !hasEnded(run.status)).slice(0, shownMost)
    const waiting = open.filter((run) => run.status === 'awaiting_clarification')
    const others = open.filter((run) => run.status !== 'awaiting_clarification')
    const blocks: Block[] = [header(home.title), context(home.lead), ...zoneBlocks(timeZone, words)]
    if (waiting.length > 0) blocks.push(header(home.waiting))
    for (const run of waiting) blocks.push(...(await taskBlocks(workspace, run, words)))
    blocks.push(header(home.tasks))
    if (others.length === 0) blocks.push(context(home.none))
    for (const run of others) blocks.push(...(await taskBlocks(workspace, run, words)))
    const direct = await directOf(workspace, person, given)
    const shared = await sharedWith(workspace, person)
    const author = { id: person, name: known?.name ?? person }
    blocks.push(...(await sectionsOf({ workspace, direct, shared, person: author, locale, timeZone })))
    return blocks.slice(0, limits.homeBlocks)
  }

  return {
    async publish(workspace, person, direct = null) {
      try {
        const blocks = await view(workspace, person, direct)
        const args = { user_id: person, view: { type: 'home', blocks } }
        await deps.api.call(workspace, 'views.publish', args, Anything)
      } catch (error) {
        deps.log.warn({ err: error }, 'the Home tab could not be shown')
      }
    },
  }
}

function itemBlocks({ text, channel, actions: offered }: HomeItem, place: string): Block[] {
  const buttons = offered.map(({ label, command }, index) =>
    button(actionIds.command(`${place}:${index}`), `${channel} ${command}`, label),
  )
  return [section(lineInMrkdwn(dull(text))), actions(buttons)]
}

/** The zone is the one of their Slack profile: it is changed there, and read again by the button. */
function zoneBlocks(timeZone: string, { slack: { home } }: Texts): Block[] {
  return [section(home.zone(escapeText(timeZone))), actions([button(actionIds.zone, 'again', home.readAgain)])]
}

/** Who asked for it, or made the schedule that did. */
const ownerOf = ({ requestedBy, schedule }: Run): string | undefined => (requestedBy ?? schedule?.createdBy)?.id

/** What people or models wrote leads nowhere from here (S2). */
const dull = (text: string): string => defang(text, () => false)
const plainly = (text: string): string => escapeText(dull(text))
