import type { z } from 'zod'
import { cleanText } from '../../agent/domain/clean-text.ts'
import { type Profile, ProfileHead } from '../../agent/domain/profile.ts'
import { yaml } from '../../agent/on-demand.ts'

/** Longest instructions of a channel, in characters. */
const bodyMost = 8_000
const rule = /^---[ \t]*$/

/** Parses a channel's profile; returns what is wrong and in which line, if anything is (C674). */
export function readProfile(given: string): Profile | string {
  const lines = cleanText(given.replace(/^\uFEFF/, '')).split(/\r?\n/)
  if (!rule.test(lines[0] ?? '')) return 'line 1: does not begin with ---'
  const end = lines.findIndex((line, index) => index > 0 && rule.test(line))
  if (end === -1) return 'line 1: the head does not end with ---'
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim()
  if (body.length > bodyMost)
    return `line ${end + 2}: the instructions are longer than ${bodyMost} characters`
  const head = readHead(['', ...lines.slice(1, end)].join('\n'))
  return typeof head === 'string' ? head : { ...head, instructions: body === '' ? null : body }
}

type Head = z.infer<typeof ProfileHead>

/** Reads all scalars as texts, so that no id loses its last digits. */
function readHead(text: string): Head | string {
  const { LineCounter, parseDocument, isNode } = yaml()
  const counter = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: counter })
  const [error] = document.errors
  if (error !== undefined) {
    const { line } = counter.linePos(error.pos[0])
    return `line ${line}: ${error.message.split(' at line ', 1)[0]}`
  }
  let fields: unknown
  try {
    fields = document.toJS({ maxAliasCount: 0 })
  } catch {
    return 'line 1: uses aliases (* and & outside quotes)'
  }
  const read = ProfileHead.safeParse(fields ?? {})
  if (read.success) return read.data
  const [issue] = read.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...(issue?.path ?? []), ...unknown]
  let line = 1
  for (let depth = 1; depth <= path.length; depth += 1) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) ({ line } = counter.linePos(node.range[0]))
  }
  const what = unknown.length > 0 ? 'is no key of a profile' : issue?.message
  return `line ${line}: ${path.join('.') || 'the head'} ${what}`
}
