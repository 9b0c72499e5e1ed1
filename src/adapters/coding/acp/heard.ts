import type {
  ContentBlock,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { cleanText } from '../../../agent/domain/clean-text.ts'
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

/** Listener to an agent during its turn: its plan and its tool call in hand go into the order. */
export function createHeard(order: OrderFile, changed: () => void) {
  const calls = new Map<string, ToolCallUpdate>()
  let all = ''
  /** Words since the last tool call. */
  let last = ''
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
    update(update: SessionUpdate): void {
      const { sessionUpdate: kind } = update
      if (kind === 'agent_message_chunk') {
        const text = textOf(update.content)
        all = (all + text).slice(-wordsMost)
        last = (last + text).slice(-wordsMost)
      } else if (kind === 'plan') {
        order.progress.plan = update.entries.slice(0, planMost).map(({ content, status }) => ({
          text: cut(cleanText(content), titleMost),
          done: status === 'completed',
        }))
        changed()
      } else if (kind === 'tool_call' || kind === 'tool_call_update') {
        last = ''
        order.progress.doing = titleOf(note(update))
        changed()
      }
    },
    /** Whole tool call that a request is about. */
    call: note,
    /** The agent's own report if it wrote one; else its last words. */
    words(): string {
      return cleanText(ownReport(all) ?? (last.trim() === '' ? all : last)).trim()
    },
  }
}

const textOf = (content: ContentBlock): string => (content.type === 'text' ? content.text : '')

function titleOf({ title, kind }: ToolCallUpdate): string {
  const words = cleanText(title ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cut(words === '' ? (kind ?? 'working') : words, titleMost)
}

/** Tool call as people approve it: what it is, where, and with what (C871). */
export function callInWords(call: ToolCallUpdate): string {
  const places = (call.locations ?? []).map(({ path }) => path)
  const input = call.rawInput === undefined ? [] : [JSON.stringify(call.rawInput, null, 2)]
  const lines = [
    `${cleanText(call.title ?? '').trim() || 'a tool call'} (${call.kind ?? 'other'})`,
    ...places.map((path) => `in ${path}`),
    ...input,
    ...(call.content ?? []).map(contentInWords),
  ]
  return cleanText(lines.filter((line) => line !== '').join('\n'))
}

function contentInWords(content: ToolCallContent): string {
  if (content.type === 'content') return textOf(content.content)
  if (content.type !== 'diff') return ''
  const { path, oldText, newText } = content
  const before = oldText == null ? '' : `${marked('- ', oldText)}\n`
  return `${path}:\n${before}${marked('+ ', newText)}`
}

const marked = (mark: string, text: string): string => text.replaceAll(/^/gm, mark)
