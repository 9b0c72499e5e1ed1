import type { Button, KnownBlock, PlainTextElement, RichTextBlock } from '@slack/types'
import { namedInstant, withInstants } from '../instants.ts'
import { withoutMentions } from '../safety.ts'
import { shortened } from '../text.ts'
import { limits } from './limits.ts'
import { inNotification } from './markdown.ts'

/** Small builders for Slack's blocks. Every text that goes through them is within its limit and calls nobody out (S1). */

export type { Button }
export type Block = KnownBlock

/** A message as it is posted: blocks, and the same in plain words for notifications. */
export interface Part {
  text: string
  blocks: Block[]
}

/** Never blank, since Slack refuses that. */
export const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: shortened(withoutMentions(text), most) || '…',
  emoji: true,
})

/** `text` is Slack's own markup: what comes from people or models must have gone through `escapeText`. */
export const context = (text: string): Block => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: shortened(text, limits.sectionCharacters) || '…' }],
})

export const section = (text: string): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: shortened(text, limits.sectionCharacters) || '…' },
})

export const markdown = (text: string): Block => ({ type: 'markdown', text })

export const header = (text: string): Block => ({
  type: 'header',
  text: plain(text, limits.headerCharacters),
})

export function button(
  actionId: string,
  value: string,
  label: string,
  style?: 'primary' | 'danger',
): Button {
  const made: Button = {
    type: 'button',
    action_id: actionId,
    value,
    text: plain(label, limits.buttonCharacters),
  }
  return style === undefined ? made : { ...made, style }
}

export const actions = (buttons: readonly Button[]): Block => ({
  type: 'actions',
  elements: [...buttons],
})

/** What a notification shows: no marks of Markdown in it, and times with their zone (C199, C138). */
export const fallback = (text: string): string =>
  shortened(inNotification(withInstants(text, namedInstant)), limits.fallbackCharacters) || '…'

/** Words that nothing reads as markup. */
export const richText = (text: string): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    { type: 'rich_text_section', elements: [{ type: 'text', text: withoutMentions(text) || '…' }] },
  ],
})
