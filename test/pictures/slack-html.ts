import { marked } from 'marked'
import { eyes } from './shared.ts'

/*
 * Slack's blocks as HTML, close enough to what people see: for pictures in the manual. Slack escapes `&`, `<` and `>` in its
 * own markup exactly as HTML does.
 */

/** One message, as the local Slack keeps it. */
export interface Shown {
  name: string
  isApp: boolean
  text: string
  blocks: readonly unknown[]
  reactions: readonly string[]
}

interface Block {
  type: string
  text?: string | { text: string }
  title?: string
  status?: string
  style?: string
  tasks?: Block[]
  elements?: Block[]
  details?: Block
  positive_button?: { text: { text: string } }
  negative_button?: { text: { text: string } }
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const textOf = ({ text }: Block): string => (typeof text === 'string' ? text : (text?.text ?? ''))

/** Slack's own markup; not every machine has a font with the tick that Clew uses. */
function mrkdwn(text: string): string {
  return text
    .replace(
      /<@U([A-Z])([A-Z]*)>/g,
      (_, first: string, rest: string) => `<b class="called">@${first}${rest.toLowerCase()}</b>`,
    )
    .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*([^*\n]+)\*/g, '<b>$1</b>')
    .replace(/~([^~\n]+)~/g, '<s>$1</s>')
    .replace('✅', '<span class="tick">✓</span>')
    .replaceAll('\n', '<br>')
}

/** Reactions by Slack's names. */
const reaction: Readonly<Record<string, string>> = {
  eyes,
  white_check_mark: '<span class="tick">✓</span>',
}

const marks: Readonly<Record<string, string>> = {
  pending: '○',
  in_progress: '◐',
  complete: '✓',
  error: '✕',
}

function card(task: Block): string {
  const status = task.status ?? 'pending'
  const details =
    task.details === undefined ? '' : `<div class="details">${blockHtml(task.details)}</div>`
  return `<div class="card ${status}"><i>${marks[status]}</i><div>${escapeHtml(task.title ?? '')}${details}</div></div>`
}

function blockHtml(given: unknown): string {
  const block = given as Block
  const elements = block.elements ?? []
  switch (block.type) {
    case 'markdown':
      return `<div class="markdown">${marked.parse(escapeHtml(textOf(block)), { async: false })}</div>`
    case 'section':
      return `<p>${mrkdwn(textOf(block))}</p>`
    case 'context':
      return `<p class="context">${elements.map((one) => mrkdwn(textOf(one))).join(' ')}</p>`
    case 'header':
      return `<h3>${escapeHtml(textOf(block))}</h3>`
    case 'feedback_buttons':
      return [block.positive_button, block.negative_button]
        .map((one) => `<span class="opinion">${one?.text.text}</span>`)
        .join('')
    case 'actions':
    case 'context_actions':
      return `<div class="actions">${elements.map(blockHtml).join('')}</div>`
    case 'button':
      return `<span class="button ${block.style ?? ''}">${escapeHtml(textOf(block))}</span>`
    case 'plan':
      return `<div class="plan"><b>${escapeHtml(block.title ?? '')}</b>${(block.tasks ?? []).map(card).join('')}</div>`
    case 'rich_text':
    case 'rich_text_section':
      return elements.map(blockHtml).join('')
    case 'text':
      return escapeHtml(textOf(block))
    default:
      throw new Error(`a picture of ${block.type} is not known`)
  }
}

export function messageHtml({ name, isApp, text, blocks, reactions }: Shown): string {
  const body = blocks.length === 0 ? `<p>${mrkdwn(text)}</p>` : blocks.map(blockHtml).join('')
  const under = reactions.map(
    (one) => `<span class="reaction">${reaction[one] ?? `:${one}:`} 1</span>`,
  )
  const badge = isApp ? '<em>APP</em>' : ''
  return `<article><div class="face ${isApp ? 'app' : ''}">${name[0]}</div><div class="body"><h4>${name}${badge}</h4>${body}${under.join('')}</div></article>`
}

/** A page of columns, each with its heading. */
export function pageHtml(columns: readonly { heading: string; html: string }[]): string {
  const shown = columns.map(({ heading, html }) => `<section><h2>${heading}</h2>${html}</section>`)
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><main>${shown.join('')}</main>`
}

export const homeHtml = (blocks: readonly unknown[]): string =>
  `<div class="home">${blocks.map(blockHtml).join('')}</div>`

const style = `
  * { box-sizing: border-box }
  body { margin: 0; font: 15px/1.46 Lato, "DejaVu Sans", sans-serif; color: #1d1c1d; background: #fff }
  main { display: inline-flex; gap: 20px; padding: 20px; align-items: flex-start }
  main > section { width: 620px; border: 1px solid #ddd; border-radius: 10px; padding: 4px 18px 14px }
  h2 { font-size: 13px; color: #616061; font-weight: 700; border-bottom: 1px solid #eee; padding-bottom: 8px }
  h3 { font-size: 18px; margin: 14px 0 4px } h4 { margin: 0 0 2px; font-size: 15px }
  h4 em { font: 700 10px sans-serif; background: #eee; color: #616061; border-radius: 2px; padding: 1px 4px; margin-left: 6px }
  article { display: flex; gap: 10px; margin: 10px 0 16px }
  .face { width: 36px; height: 36px; flex: none; border-radius: 8px; background: #e8912d; color: #fff; font-weight: 700;
    display: flex; align-items: center; justify-content: center }
  .face.app { background: #1f3a5f }
  .body { min-width: 0; flex: 1 } p, .markdown p { margin: 2px 0 6px } ul { margin: 2px 0; padding-left: 22px }
  code { background: #f6f6f6; border: 1px solid #ddd; border-radius: 3px; color: #c01343; padding: 1px 3px; font-size: 12px }
  table { border-collapse: collapse; margin: 6px 0 8px; font-size: 14px } th, td { border: 1px solid #ddd; padding: 4px 10px }
  a { color: #1264a3; text-decoration: none }
  .context { color: #616061; font-size: 13px }
  .actions { display: flex; flex-wrap: wrap; gap: 8px; margin: 6px 0 8px }
  .button { border: 1px solid #bbb; border-radius: 6px; padding: 4px 12px; font-weight: 700; font-size: 13px; background: #fff }
  .button.primary { background: #007a5a; border-color: #007a5a; color: #fff }
  .button.danger { color: #d12e4b; border-color: #d12e4b }
  .plan { border: 1px solid #ddd; border-radius: 8px; padding: 10px 14px; margin: 4px 0 6px }
  .card { display: flex; gap: 9px; margin-top: 6px } .card i { font-style: normal; width: 16px; color: #616061 }
  .complete i { color: #007a5a; font-weight: 700 } .error i { color: #d12e4b } .in_progress { font-weight: 700 }
  .details { color: #616061; font-size: 13px; font-weight: 400 }
  .tick { background: #007a5a; color: #fff; border-radius: 3px; padding: 0 3px; font-weight: 700 }
  .called { color: #1264a3; background: #e8f5fa; font-weight: 400; padding: 0 2px } .opinion { font-size: 17px }
  .eyes { width: 17px; height: 12px; vertical-align: -1px } .eyes ellipse { stroke: #777 }
  .reaction { display: inline-block; border: 1px solid #ddd; border-radius: 12px; background: #f8f8f8; padding: 1px 9px;
    font-size: 12px; margin: 2px 6px 0 0 }
`
