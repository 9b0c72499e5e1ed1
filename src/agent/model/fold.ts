import { cut } from '../domain/cut.ts'
import type { Exchange } from './exchanges.ts'
import type { Prompt } from './prompts.ts'

type Part = string | Exchange

/** Length of each text in an older entry, in characters. */
const shortMost = 300
/**
 * When all that can be folded is folded, the texts that others wrote become shorter and shorter.
 */
const squeezes = [16_000, 8_000, 4_000, 2_000, 1_000, 500, 200] as const

/**
 * Makes a prompt fit that is too long (C100): of what has happened the newest stays as it is, what
 * is older is told in short, and what is oldest is left out, but for what people said. It is folded
 * in strides, so that in between each request extends the one before and a cache holds. Where the
 * goal or one result alone is too long, its middle is cut. The rules and the question always stay.
 *
 * @param tokens how many tokens a prompt, or a part of it, takes.
 */
export function folded(
  prompt: Prompt,
  limit: number,
  tokens: { of(prompt: Prompt): number; in(part: Part): number },
): Prompt {
  const room = Math.max(limit / 4, limit - tokens.of({ ...prompt, transcript: [] }))
  let fitted: Prompt = {
    ...prompt,
    transcript: foldedTranscript(prompt.transcript, room, tokens.in),
  }
  for (const most of squeezes) {
    if (tokens.of(fitted) <= limit) break
    fitted = squeezed(fitted, most)
  }
  return fitted
}

function foldedTranscript(
  parts: readonly Part[],
  room: number,
  size: (part: Part) => number,
): Part[] {
  const short = parts.map((part) => shortened(part, shortMost))
  const full = Math.min(boundary(parts.map(size), room / 2, room / 4), parts.length - 1)
  const gone = boundary(short.slice(0, full).map(size), room / 4, room / 8)
  const kept = short
    .slice(0, gone)
    .filter((part) => typeof part === 'string' && part.includes('<data from="person">'))
  const left = gone - kept.length
  const note = left > 0 ? [`[${left} earlier entries are left out here, for want of room.]`] : []
  return [...note, ...kept, ...short.slice(gone, full), ...parts.slice(Math.max(0, full))]
}

/** Returns how many of the oldest go until the rest is at most `most`; it moves in strides. */
function boundary(sizes: readonly number[], most: number, stride: number): number {
  const excess = sizes.reduce((sum, size) => sum + size, 0) - most
  const target = Math.ceil(excess / stride) * stride
  let gone = 0
  let count = 0
  for (; gone < target && count < sizes.length; count += 1) gone += sizes[count] ?? 0
  return count
}

function squeezed(prompt: Prompt, most: number): Prompt {
  return {
    ...prompt,
    context: fencesCut(prompt.context, most),
    transcript: prompt.transcript.map((part) => shortened(part, most)),
    tail: fencesCut(prompt.tail, most),
  }
}

function shortened(part: Part, most: number): Part {
  if (typeof part === 'string') return fencesCut(part, most)
  const calls = part.calls.map((call) => ({
    ...call,
    input: cut(call.input, most),
    result: fencesCut(call.result, most),
  }))
  return { said: part.said === null ? null : cut(part.said, most), calls }
}

/**
 * Every text that others wrote cut to so many characters; the fences around them stay whole (S4).
 */
function fencesCut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = '\n</data>'
  const pieces = text.split(end)
  const rest = pieces.pop() ?? ''
  const fenced = pieces.map((piece) => {
    const opening = piece.lastIndexOf('<data from="')
    const start = piece.indexOf('\n', opening) + 1
    return piece.slice(0, start) + cut(piece.slice(start), most) + end
  })
  return fenced.join('') + rest
}
