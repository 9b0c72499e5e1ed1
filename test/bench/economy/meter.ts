import { createRequire } from 'node:module'
import { installPackages } from '../install.ts'

// The tables weigh 30 MB and only this bench needs them, so it installs them when it runs.
installPackages(import.meta.dirname)
const require = createRequire(import.meta.url)
const { encode }: { encode(text: string): number[] } = require('gpt-tokenizer/encoding/o200k_base')

/**
 * What providers write of their caches: a prefix counts from 1,024 tokens on, in steps of 128; the list of tools stands before the
 * messages; what was sent before costs a tenth. A token that is written costs as much as eight that are read (OpenAI's GPT-5;
 * Anthropic's five to one makes long replies cheaper).
 */
const provider = { least: 1_024, step: 128, cached: 0.1, written: 8 } as const

export interface Request {
  tools?: unknown
  response_format?: unknown
  messages: readonly unknown[]
}

/** What one piece of work has taken, in tokens. */
export interface Bill {
  calls: number
  prompt: number
  completion: number
  /** Of the prompt, what the provider's cache had. */
  cached: number
  /** From the second request on: the prompt, and how much of it is an unchanged prefix of the request before. */
  later: number
  extended: number
}

/** One conversation with a provider: its cache knows every request of it. */
export function createMeter() {
  const seen: number[][] = []
  return {
    /** `isApart`: a request that those after it do not extend. */
    bill(): { bill: Bill; add(request: Request, reply: unknown, isApart?: boolean): void } {
      const bill: Bill = { calls: 0, prompt: 0, completion: 0, cached: 0, later: 0, extended: 0 }
      let before: number[] | null = null
      return {
        bill,
        add(request, reply, isApart = false) {
          const tokens = tokensOf(request)
          const known = Math.max(0, ...seen.map((one) => samePrefix(one, tokens)))
          seen.push(tokens)
          bill.calls += 1
          bill.prompt += tokens.length
          bill.completion += pieces(JSON.stringify(reply)).length
          bill.cached += known < provider.least ? 0 : known - (known % provider.step)
          if (before !== null) {
            bill.later += tokens.length
            bill.extended += samePrefix(before, tokens)
          }
          if (!isApart) before = tokens
        },
      }
    },
  }
}

/** In tokens that are read for the first time. */
export const costOf = ({ prompt, cached, completion }: Bill): number =>
  prompt - cached + cached * provider.cached + completion * provider.written

export const sum = (bills: readonly Bill[]): Bill =>
  bills.reduce((all, one) => ({
    calls: all.calls + one.calls,
    prompt: all.prompt + one.prompt,
    completion: all.completion + one.completion,
    cached: all.cached + one.cached,
    later: all.later + one.later,
    extended: all.extended + one.extended,
  }))

/** A request in the provider's order. */
export function tokensOf({ tools, response_format, messages }: Request): number[] {
  const parts = [tools ?? [], response_format ?? null, ...messages]
  return parts.flatMap((part) => pieces(wordsOf(part)))
}

/** A message as a model reads it: its texts as they are, its calls as JSON. */
function wordsOf(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('role' in part)) return JSON.stringify(part)
  const {
    role,
    content = null,
    tool_calls: calls,
    tool_call_id: id,
  } = part as Record<string, unknown>
  return `\n[${role}${id === undefined ? '' : ` ${id}`}] ${content ?? ''}${calls === undefined ? '' : JSON.stringify(calls)}\n`
}

/** Paragraphs come again in every request, so each is counted once. */
const known = new Map<string, number[]>()

function pieces(text: string): number[] {
  return text.split(/(?<=\n\n)/).flatMap((piece) => {
    const tokens = known.get(piece) ?? encode(piece)
    known.set(piece, tokens)
    return tokens
  })
}

function samePrefix(a: readonly number[], b: readonly number[]): number {
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1
  return same
}
