import type {
  ContentBlock,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { cleanText } from '../../../agent/domain/clean-text.ts'
import { endsShared } from '../../../agent/domain/ends-shared.ts'
import { present } from '../../../agent/domain/present.ts'
import { cut } from '../../../agent/strategies/bookkeeping.ts'
import { ownReport } from '../report-file.ts'
import type { OrderFile } from './order-file.ts'

/** Lengths that are kept, in characters: an agent's words, a title, a part of its plan. */
const wordsMost = 64 * 1024
const titleMost = 200
const planMost = 50
/** Tool calls whose details are kept for a request about them. */
const callsMost = 200

export type Heard = ReturnType<typeof createHeard>

/**
 * Listener to an agent during its turn: its plan and its tool call in hand go into the order.
 *
 * @param root the agent's checkout; what lies in it is named from there.
 */
export function createHeard(order: OrderFile, root: string, changed: () => void) {
  const calls = new Map<string, ToolCallUpdate>()
  let all = ''
  /** Words since the last tool call or plan, and the message that they are of. */
  let last = ''
  let message: string | null = null
  const fromRoot = (text: string) => text.replaceAll(`${root}/`, '')
  const note = (call: ToolCallUpdate): ToolCallUpdate => {
    const known = calls.get(call.toolCallId)
    const given = Object.entries(call).filter(([, value]) => value != null)
    const merged = { ...known, ...Object.fromEntries(given), toolCallId: call.toolCallId }
    calls.delete(call.toolCallId)
    calls.set(call.toolCallId, merged)
    const oldest = calls.keys().next().value
    if (calls.size > callsMost && oldest !== undefined) calls.delete(oldest)
    return merged
  }
  return {
    update(update: SessionUpdate) {
      const { sessionUpdate: kind } = update
      if (kind === 'agent_message_chunk') {
        const { messageId = null } = update
        const begins = messageId !== message && last !== ''
        const text = (begins ? '\n\n' : '') + textOf(update.content)
        message = messageId
        all = (all + text).slice(-wordsMost)
        last = (last + text).slice(-wordsMost)
      } else if (kind === 'plan') {
        last = ''
        order.progress.plan = update.entries.slice(0, planMost).map(({ content, status }) => ({
          text: cut(cleanText(content), titleMost),
          done: status === 'completed',
        }))
        changed()
      } else if (kind === 'tool_call' || kind === 'tool_call_update') {
        last = ''
        order.progress.doing = fromRoot(titleOf(note(update)))
        changed()
      }
    },
    /** Whole tool call that a request is about, as people approve it (C871). */
    call: (call: ToolCallUpdate) => fromRoot(callInWords(note(call), root)),
    /** The agent's own report if it wrote one; else its last words. */
    words() {
      return cleanText(ownReport(all) ?? (last.trim() === '' ? all : last)).trim()
    },
  }
}

const textOf = (content: ContentBlock) => (content.type === 'text' ? content.text : '')

function titleOf({ title, kind }: ToolCallUpdate): string {
  const words = cleanText(title ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cut(words === '' ? (kind ?? 'working') : words, titleMost)
}

/** Tool call as people approve it: what it is, where, and with what. Nothing is said twice. */
function callInWords(call: ToolCallUpdate, root: string): string {
  const { title, kind, locations, rawInput, content } = call
  const head = `${cleanText(title ?? '').trim() || 'a tool call'} (${kind ?? 'other'})`
  const shown = (content ?? []).map(contentInWords)
  const places = (locations ?? []).map(({ path }) => path)
  const said = [head, root, ...places, ...(content ?? []).map(wholeOf)].join('\n')
  const lines = [
    head,
    ...places.filter((path) => !head.includes(nameIn(root, path))).map((path) => `in ${path}`),
    ...inputInWords(rawInput, said),
    ...shown,
  ]
  return cleanText(lines.filter((line) => line !== '').join('\n'))
}

/** Names of an agent's own ids and instants, which change with each try and say nothing. */
const bookkeeping = /^(?:[a-z_]{0,40}_id|[a-z_]{0,40}_ms)$/

/** Values of a call's input that are not said yet, each under its name. */
function inputInWords(input: unknown, said: string): string[] {
  if (input == null) return []
  if (typeof input !== 'object' || Array.isArray(input)) return [JSON.stringify(input)]
  return Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text === undefined || said.includes(text) || bookkeeping.test(name)) return []
    return [text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`]
  })
}

/** Path of a file as it is named in its checkout. */
const nameIn = (root: string, path: string) =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path

function wholeOf(content: ToolCallContent): string {
  if (content.type === 'content') return textOf(content.content)
  return content.type === 'diff' ? `${content.oldText ?? ''}\n${content.newText}` : ''
}

function contentInWords(content: ToolCallContent): string {
  if (content.type === 'content') return textOf(content.content)
  if (content.type !== 'diff') return ''
  const { path, oldText, newText } = content
  return `${path}:\n${changedLines(linesOf(oldText ?? ''), linesOf(newText)).join('\n')}`
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Lines of a file around those that stay, before and after those that change. */
const context = 3

/** Lines that go and come, with some of those that stay around them. */
function changedLines(before: readonly string[], after: readonly string[]): string[] {
  const { head: same, tail } = endsShared(before, after)
  const from = Math.max(0, same - context)
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark} ${line}`)
  return present([
    from > 0 && '…',
    ...marked(' ', before.slice(from, same)),
    ...marked('-', before.slice(same, before.length - tail)),
    ...marked('+', after.slice(same, after.length - tail)),
    ...marked(' ', after.slice(after.length - tail, after.length - tail + context)),
    tail > context && '…',
  ])
}
