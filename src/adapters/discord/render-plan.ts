import { ButtonStyle, ComponentType, MessageFlags } from 'discord.js'
import type { ProgressView } from '../../agent/domain/progress.ts'
import { hasEnded, type RunStatus } from '../../agent/domain/run.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { changeLines, controls, labelOf, nowLines, statusLine } from '../channel-kit/progress.ts'
import { shortened } from '../text.ts'

import { toDiscord } from './markdown.ts'
import { button, type Component, idOf, inline, nobody, type Payload, row } from './render.ts'

const [live, waiting] = [0x5865f2, 0xf0b232]
const colors: Readonly<Record<RunStatus, number>> = {
  queued: live,
  running: live,
  awaiting_clarification: waiting,
  paused: waiting,
  succeeded: 0x23a55a,
  failed: 0xda373c,
  canceled: 0x80848e,
  given_up: 0xda373c,
}
/** Spaces that Discord keeps at the start of a line. */
const indent = '\u2003\u2003'
const signs = { done: '✅', current: '▶️', open: '▫️', skipped: '➖' } as const

/**
 * Renders the live plan as a card: finished steps, the current one, and the buttons (R38 to R41).
 */
export function renderPlan(progress: ProgressView, locale: string): Payload {
  const { discord, core } = texts(locale)
  const { items, index, status } = progress
  const over = hasEnded(status)
  const head = `### ${inline(shortened(progress.title, 200))}\n${statusLine(progress, core, discord)}`
  const rest = over ? signs.skipped : signs.open
  const sign = (place: number, isDone: boolean) => {
    if (isDone) return signs.done
    return !over && place === index ? signs.current : rest
  }
  const lines = items.map((item, place) => {
    const text = inline(shortened(item.text, 180))
    const own = `${sign(place, item.done)} ${place === index && !item.done && !over ? `**${text}**` : text}`
    const parts = item.parts?.map(
      (part) =>
        `${indent}${part.done ? signs.done : signs.open} ${inline(shortened(part.text, 100))}`,
    )
    return [own, ...(parts ?? [])].join('\n')
  })
  const texts_ = [
    head,
    fitting(lines, index, discord),
    changeOf(progress, locale),
    nowOf(progress, texts(locale)),
  ]
  const displays = texts_
    .filter((text) => text !== '')
    .map((content) => ({
      type: ComponentType.TextDisplay,
      content: toDiscord(content, leadsNowhere),
    }))
  // An ended run is retried from its report, below everything else.
  const controls = over ? [] : controlsOf(progress.runId, status, discord)
  const color = colors[status]
  const card = {
    type: ComponentType.Container,
    accent_color: color,
    components: [...displays, ...controls],
  }
  return { components: [card], flags: MessageFlags.IsComponentsV2, allowed_mentions: nobody }
}

/** Forbids all links, since a model wrote the plan and none is worth following (S2). */
const leadsNowhere = () => false

const planRoom = 2_400

/** Keeps as many lines as fit around the current one. Earlier lines are dropped first. */
function fitting(lines: readonly string[], current: number, discord: Texts['discord']): string {
  let [from, to] = [0, lines.length]
  const shown = () => lines.slice(from, to).join('\n')
  while (shown().length > planRoom && to - from > 1) {
    if (from < Math.min(current, lines.length - 1)) from += 1
    else to -= 1
  }
  const before = from > 0 ? [discord.earlierItems(from)] : []
  const after = to < lines.length ? [discord.moreItems(lines.length - to)] : []
  return [...before, shown(), ...after].join('\n')
}

/** Renders the last replan and its reason. */
function changeOf(progress: ProgressView, locale: string): string {
  if (progress.status === 'succeeded' || progress.status === 'canceled') return ''
  const line = (text: string, most: number) => shortened(inline(text), most)
  const { core, discord: chat } = texts(locale)
  const lines = changeLines(progress, { core, chat, most: { items: 5, characters: 80 }, line })
  return lines.map((one) => `> ${one}`).join('\n')
}

function nowOf(progress: ProgressView, { core, discord }: Texts): string {
  if (progress.status !== 'running') return ''
  const lines = nowLines(progress, core, (text, most) => shortened(inline(text), most))
  return (lines.length + progress.items.length === 0 ? [discord.planning] : lines)
    .map((one) => `-# ${one}`)
    .join('\n')
}

const styles = {
  cancel: ButtonStyle.Secondary,
  continue: ButtonStyle.Success,
  retry: ButtonStyle.Primary,
} as const

export const controlButtons = (
  runId: string,
  status: RunStatus,
  discord: Texts['discord'],
): Component[] =>
  controls[status].map((one) => button(idOf(one, runId), labelOf(one, discord), styles[one]))

/** Renders a run's controls as a row of buttons. */
function controlsOf(runId: string, status: RunStatus, discord: Texts['discord']): Component[] {
  const buttons = controlButtons(runId, status, discord)
  return buttons.length === 0 ? [] : [row(buttons)]
}
