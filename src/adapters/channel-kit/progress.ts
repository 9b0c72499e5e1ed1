import { present } from '../../agent/domain/present.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import type { Texts } from '../../locales/texts.ts'
import type { Control } from './gestures.ts'

/** Controls of a run by its status, in the order of the buttons. */
export const controls: Readonly<Record<RunStatus, readonly Control[]>> = {
  queued: ['cancel'],
  running: ['cancel'],
  awaiting_clarification: ['cancel'],
  paused: ['continue', 'cancel'],
  failed: ['retry'],
  canceled: ['retry'],
  given_up: ['retry'],
  succeeded: [],
}

/** Texts that every chat platform has. */
type ChatWords = Pick<
  Texts['slack'],
  'stop' | 'continue' | 'retry' | 'added' | 'dropped' | 'status'
>

/**
 * Returns a run's status with its count of finished steps. The count is left out if no steps exist
 * or all were done at the end.
 */
export function statusLine(
  { status, done, items, forecast }: ProgressView,
  core: Texts['core'],
  chat: ChatWords,
): string {
  const isOver = status === 'succeeded' || status === 'given_up'
  const isSaid = items.length === 0 || (isOver && done === items.length)
  const parts = [chat.status[status]]
  if (!isSaid) parts.push(core.progress.counts(done, items.length))
  if (!isSaid && forecast !== undefined) parts.push(core.forecast.about(forecast))
  return parts.join(' · ')
}

/** Returns the label of a control's button. */
export const labelOf = (control: Control, words: ChatWords) =>
  words[control === 'cancel' ? 'stop' : control]

/**
 * Returns lines about the last replan and its reason. `line` sanitizes a text and shortens it to
 * the given length.
 */
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
  const counts = [added.length, dropped.length] as const
  const headOf = (): string => {
    if (by !== undefined) return progress.changedBy(line(by.name, 100), ...counts)
    if (because === null) return progress.changed(...counts)
    return progress.because(line(because.author.name, 100), line(because.text, 120), ...counts)
  }
  return present([
    headOf(),
    added.length > 0 && chat.added(brief(added)),
    dropped.length > 0 && chat.dropped(brief(dropped)),
  ])
}

/**
 * Returns lines about a running task: the last decision, and the tool in use or its result (R38,
 * R39, R40). They never contain the model's own words (R42). `line` sanitizes a text and shortens
 * it to the given length.
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

/** Drops empty lines. */
const said = (lines: readonly string[]): string[] => lines.filter((one) => one !== '')
