import type { Button, KnownBlock, PlainTextElement, RichTextBlock } from '@slack/types'
import { quiet } from '../safety.ts'
import { limits } from './limits.ts'
import { escapeText } from './mrkdwn.ts'

/** Small builders for Slack's blocks. Every text that goes through them is within its limit and calls nobody out (S1). */

export type { Button }
export type Block = KnownBlock

/** A message as it is posted: blocks, and the same in plain words for notifications. */
export interface Post {
  text: string
  blocks: Block[]
}

/** At most `most` units, cut between characters, with an ellipsis where something is missing. */
export function short(text: string, most: number): string {
  if (text.length <= most) return text
  let end = most - 1
  if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1
  return `${text.slice(0, end).trimEnd()}…`
}

/** Never blank, since Slack refuses that. */
const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: short(quiet(text), most) || '…',
  emoji: true,
})

/** `text` is Slack's own markup: what comes from people or models must have gone through `escapeText`. */
export const context = (text: string): Block => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: short(text, limits.sectionCharacters) || '…' }],
})

export const section = (text: string): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: short(text, limits.sectionCharacters) || '…' },
})

export const markdown = (text: string): Block => ({ type: 'markdown', text })

export const header = (text: string): Block => ({ type: 'header', text: plain(text, limits.headerCharacters) })

export function button(actionId: string, value: string, label: string, style?: 'primary' | 'danger'): Button {
  const made: Button = {
    type: 'button',
    action_id: actionId,
    value,
    text: plain(label, limits.buttonCharacters),
  }
  return style === undefined ? made : { ...made, style }
}

export const actions = (buttons: readonly Button[]): Block => ({ type: 'actions', elements: [...buttons] })

export const fallback = (text: string): string => short(escapeText(text), limits.fallbackCharacters) || '…'

/** Words that nothing reads as markup. */
export const richText = (text: string): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: quiet(text) || '…' }] }],
})
