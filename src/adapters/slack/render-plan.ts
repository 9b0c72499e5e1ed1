import type { PlanBlock, TaskCardBlock } from '@slack/types'
import type { ProgressView } from '../../agent/domain/progress.ts'
import { hasEnded, type RunStatus } from '../../agent/domain/run.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { changeLines, controls, labelOf, nowLines, statusLine } from '../channel-kit/progress.ts'
import { aroundCode } from '../code.ts'
import { defang, withoutMentions } from '../safety.ts'
import { shortened } from '../text.ts'
import {
  actions,
  type Block,
  type Button,
  button,
  context,
  fallback,
  type Part,
  richText,
} from './blocks.ts'
import { limits } from './limits.ts'
import { escapeText } from './markdown.ts'
import { actionIds } from './render.ts'

/**
 * Renders a run as a single message that is updated in place: its plan, its current step and its
 * buttons.
 */
export function renderPlan(progress: ProgressView, locale: string): Part {
  const words = texts(locale)
  const { title, status } = progress
  const heading = inTitle(shortened(title, 120)) || '…'
  const named = inTitle(shortened(title, 120), (code) => `\`${code}\``) || '…'
  const plan: PlanBlock = {
    type: 'plan',
    title: heading,
    tasks: tasksOf(progress, words),
  }
  const lines = [
    statusLine(progress, words.core, words.slack),
    ...changeLines(progress, {
      ...words,
      chat: words.slack,
      most: shownOfChanges,
      line: shortened,
    }),
  ]
  // An ended run is retried from its report, below everything else.
  const buttons = hasEnded(status) ? [] : controlButtons(status, progress.runId, words)
  const blocks: Block[] = [plan, context(lines.map((line) => escapeText(dull(line))).join('\n'))]
  if (buttons.length > 0) blocks.push(actions(buttons))
  return { text: fallback(`${named}: ${words.slack.status[status]}`), blocks }
}

const shownOfChanges = { items: 8, characters: 100 }

/** Disables links, since a model wrote the plan and none is worth following (S2). */
const dull = (text: string) => defang(text, () => false)

/**
 * Sanitizes a title. Titles are plain text, so their code cannot contain a link or a mention
 * (C395).
 */
const inTitle = (text: string, shown = (code: string): string => code) =>
  aroundCode(text, (words) => withoutMentions(dull(words)), shown)

/** Selects the cards around the current one if there are too many. */
function tasksOf(progress: ProgressView, words: Texts): TaskCardBlock[] {
  const { items, index } = progress
  const room = Math.floor(limits.planTitlesCharacters / Math.min(items.length, limits.tasks))
  const titleMost = Math.min(limits.taskTitleCharacters, room)
  const first = Math.max(0, Math.min(index - 10, items.length - limits.tasks))
  return items.slice(first, first + limits.tasks).map((item, offset) => {
    const place = first + offset
    const status = statusOf(progress, place)
    const card: TaskCardBlock = {
      type: 'task_card',
      task_id: `step-${place + 1}`,
      title: shortened(inTitle(item.text), titleMost) || '…',
      status,
    }
    // Cards cannot nest, so details are indented below their card (C127).
    const parts = (item.parts ?? []).map(
      ({ text, done }) => `${done ? '☑' : '☐'} ${withoutMentions(shortened(text, 100))}`,
    )
    const lines = [
      ...parts,
      ...(status === 'in_progress' ? nowLines(progress, words.core, shortened) : []),
    ]
    return lines.length === 0 ? card : { ...card, details: richText(dull(lines.join('\n'))) }
  })
}

function statusOf(
  { items, index, status }: ProgressView,
  place: number,
): 'pending' | 'in_progress' | 'complete' | 'error' {
  if (items[place]?.done) return 'complete'
  if (place !== index) return 'pending'
  if (status === 'failed' || status === 'given_up') return 'error'
  return hasEnded(status) || status === 'queued' || status === 'paused' ? 'pending' : 'in_progress'
}

const styles = { cancel: 'danger', continue: 'primary', retry: undefined } as const

/** Renders a run's controls as buttons. */
export const controlButtons = (status: RunStatus, runId: string, { slack }: Texts): Button[] =>
  controls[status].map((one) => button(actionIds[one], runId, labelOf(one, slack), styles[one]))
