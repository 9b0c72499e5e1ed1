import type { Button, KnownBlock, PlainTextElement, RichTextBlock } from '@slack/types'
import { namedInstant, withInstants } from '../instants.ts'
import { plainLabel } from '../plain-label.ts'
import { withoutMentions } from '../safety.ts'
import { shortened } from '../text.ts'
import { limits } from './limits.ts'
import { inNotification } from './markdown.ts'

/** Builders for Slack's blocks. They keep every text within its limit and free of mentions (S1). */

export type { Button }
export type Block = KnownBlock

/** Message to post: blocks, and the same as plain text for notifications. */
export interface Part {
  text: string
  blocks: Block[]
}

/** Plain text, never blank, since Slack refuses blank text. */
export const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: shortened(withoutMentions(text), most) || '…',
  emoji: true,
})

/**
 * Context block. `text` is Slack's markup: text from people or models must first pass `escapeText`.
 */
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
    text: plain(plainLabel(label, limits.buttonCharacters), limits.buttonCharacters),
  }
  return style === undefined ? made : { ...made, style }
}

export const actions = (buttons: readonly Button[]): Block => ({
  type: 'actions',
  elements: [...buttons],
})

/** Plain text for a notification: without Markdown marks, with times in their zone (C199, C138). */
export const fallback = (text: string) =>
  shortened(inNotification(withInstants(text, namedInstant)), limits.fallbackCharacters) || '…'

/** Rich text block, in which nothing is read as markup. */
export const richText = (text: string): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    { type: 'rich_text_section', elements: [{ type: 'text', text: withoutMentions(text) || '…' }] },
  ],
})
