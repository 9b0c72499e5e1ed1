import type { ProgressView } from '../../agent/domain/progress.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import type { Texts } from '../../locales/texts.ts'
import type { Control } from './gestures.ts'

/** What a person can do about a run, in the order of its buttons. */
export const controls: Readonly<Record<RunStatus, readonly Control[]>> = {
  queued: ['cancel'],
  running: ['cancel'],
  awaiting_clarification: ['cancel'],
  paused: ['continue', 'cancel'],
  failed: ['retry'],
  canceled: ['retry'],
  succeeded: [],
}

/** What every chat platform says. */
type ChatWords = Pick<
  Texts['slack'],
  'stop' | 'continue' | 'retry' | 'added' | 'dropped' | 'status'
>

/** How a run stands, and how far it is; of one that is done in all its steps that says nothing more. */
export function statusLine(
  { status, done, items }: ProgressView,
  core: Texts['core'],
  chat: ChatWords,
): string {
  const isSaid = items.length === 0 || (status === 'succeeded' && done === items.length)
  return isSaid
    ? chat.status[status]
    : `${chat.status[status]} · ${core.progress.counts(done, items.length)}`
}

/** What a button says that does it. */
export const labelOf = (control: Control, words: ChatWords): string =>
  words[control === 'cancel' ? 'stop' : control]

/** What the last replan changed and why, line by line; `line` makes a text harmless, no longer than given. */
export function changeLines(
  { lastChange }: ProgressView,
  {
    core,
    chat,
    most,
    line,
  }: {
    core: Texts['core']
    chat: ChatWords
    most: { items: number; characters: number }
    line(text: string, characters: number): string
  },
): string[] {
  if (lastChange === null) return []
  const { because, added, dropped, by } = lastChange
  if (by === undefined && added.length === 0 && dropped.length === 0) return []
  const { progress } = core
  const brief = (items: readonly string[]) =>
    items.slice(0, most.items).map((text) => line(text, most.characters))
  return [
    by !== undefined
      ? progress.changedBy(line(by.name, 100), added.length, dropped.length)
      : because === null
        ? progress.changed(added.length, dropped.length)
        : progress.because(
            line(because.author.name, 100),
            line(because.text, 120),
            added.length,
            dropped.length,
          ),
    ...(added.length > 0 ? [chat.added(brief(added))] : []),
    ...(dropped.length > 0 ? [chat.dropped(brief(dropped))] : []),
  ]
}

/**
 * What a run does now: what was decided last, and the tool that is used or what it came to (R38, R39, R40). Never a model's
 * own words (R42). `line` makes a text harmless, no longer than given.
 */
export function nowLines(
  progress: ProgressView,
  { progress: words }: Texts['core'],
  line: (text: string, characters: number) => string,
): string[] {
  const { now, lastResult, status } = progress
  if (status !== 'running') return []
  const lines = newsLine(progress, words, line)
  if (now.kind === 'acting')
    return [...lines, words.action(line(now.tool, 60), line(now.input, 120))]
  return lastResult === null ? lines : said([...lines, words.result(lastResult.ok)])
}

function newsLine(
  { items, news }: ProgressView,
  words: Texts['core']['progress'],
  line: (text: string, characters: number) => string,
): string[] {
  if (news === undefined) return []
  if (news.kind === 'planned') return [words.planned(items.length)]
  if (news.kind === 'replanned')
    return [said([words.replanned(items.length), words.thought.goes_on]).join(' · ')]
  const item = items[news.index]
  const current =
    item === undefined ? [] : [words.current(news.index + 1, items.length, line(item.text, 80))]
  return said([said([...current, words.thought[news.kind]]).join(' · ')])
}

/** Without what nobody would say. */
const said = (lines: readonly string[]): string[] => lines.filter((one) => one !== '')
