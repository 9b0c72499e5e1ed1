import { APIError } from 'openai'
import { imageTokens } from '../domain/attached-image.ts'
import { memoized } from '../domain/memoized.ts'
import type { Log } from '../ports/log.ts'
import { failureOf } from './failures.ts'

/** Context windows of widely used models in tokens, by their names; from their makers' pages. */
const known: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gemini/, 1_048_576],
  [/^(?:o[34]|(?:\w{2,6}\.)?(?:anthropic\.)?claude)/, 200_000],
  [/^(?:\w{2,6}\.)?amazon\.nova/, 300_000],
]
/** Window of an unknown model, in tokens, until its endpoint corrects it. */
const windowDefault = 128_000
/** Part of a window that is left for the answer, and the most that it needs. */
const forAnswer = { share: 1 / 8, most: 16_000 } as const
/** Requests whose counts tell how many tokens a byte is; the worst of them holds. */
const countsKept = 20
/** Bytes of UTF-8 for each guessed token; most texts need fewer tokens than that. */
const bytesPerToken = 3

export type Window = ReturnType<typeof createWindow>

/**
 * Tracks the window of one model, and measures requests by the endpoint's own counts (C100).
 *
 * @param given the operator's value.
 */
export function createWindow(model: string, given: number | undefined, log: Log) {
  let window = given ?? known.find(([name]) => name.test(model))?.[1] ?? windowDefault
  let ratios: number[] = []
  /** The longest that it has answered, in tokens. */
  let taken = 0
  // The next text may be denser than all before it.
  const tokensIn = (value: unknown) =>
    guessOf(value) * (ratios.length === 0 ? 1 : Math.max(...ratios) * 1.1)
  return {
    /** For a request, in tokens. */
    limit: () => window - Math.min(forAnswer.most, window * forAnswer.share),
    tokensIn,
    /** Records the endpoint's token count of a request. */
    counted(body: unknown, tokens: number) {
      taken = Math.max(taken, tokens)
      // An endpoint that does not count, or counts what its cache had not, says nothing.
      const guessed = guessOf(body)
      if (tokens > guessed / 4) ratios = [...ratios, tokens / guessed].slice(-countsKept)
    },
    /** True if a request was too long; the window is then learned from the error. */
    isOverflow(error: unknown, body: unknown) {
      const said = overflowOf(error)
      if (said === null) return false
      const sent = tokensIn(body)
      // What is no longer than what it has answered says nothing of its window, whatever was the
      // matter.
      if (sent <= taken) return true
      const learned = said.window ?? Math.floor(sent * 0.7)
      if (learned < window) {
        log.warn(
          { model, window: learned },
          'model window smaller than assumed; set MODEL_WINDOWS to fix it',
        )
        window = learned
      } else ratios = [...ratios, (window / sent) * 1.5].slice(-countsKept)
      return true
    },
  }
}

/** Guesses the size of a value, in tokens. */
const guess = (value: unknown) => Math.ceil(bytesIn(value) / bytesPerToken)

/** Memoized: a request is measured once before it is sent. */
const guessOfObject = memoized(guess, new WeakMap<object, number>())
const guessOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? guessOfObject(value) : guess(value)

/**
 * Returns the size as JSON, escapes aside. An image counts as a fixed number of tokens, whatever
 * its bytes.
 */
function bytesIn(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  for (const [key, held] of Object.entries(value)) bytes += key.length + 5 + bytesOf(key, held)
  return bytes
}

function bytesOf(key: string, held: unknown): number {
  if (key === 'image_url') return imageTokens * bytesPerToken
  return key === 'function' && typeof held === 'object' && held !== null
    ? bytesOfFunction(held)
    : bytesIn(held)
}

/** Functions are the same objects in every request. */
const bytesOfFunction = memoized(bytesIn, new WeakMap<object, number>())

/** Words of endpoints that say how many tokens a request may have, the surest first. */
const sizes = [
  /(?:maximum context length (?:is|of)|context (?:length|size|window) (?:is|of)(?: only)?) \(?(\d{3,8})/i,
  /context (?:size|window limit|length) \((\d{3,8})/i,
  /> (\d{3,8}) maximum/i,
  /max_model_len (?:of )?(\d{3,8})/i,
  /(?:cannot exceed|limit(?: is)?) (\d{3,8})\b/i,
  /max size: (\d{3,8}) tokens/i,
  /tokens allowed \((\d{3,8})\)/i,
  /tokens exceed the configured limit of (\d{3,8})/i,
  /\bn_ctx\D{1,8}(\d{3,8})/i,
]

/**
 * An answer that says that the request was too long, in the words of the endpoint, and how long it
 * may be.
 */
export function overflowOf(error: unknown): { window: number | null } | null {
  if (!(error instanceof APIError) || failureOf(error, 0, null).kind !== 'context_too_long')
    return null
  const [window] = sizes.flatMap((size) => size.exec(error.message)?.[1] ?? [])
  return { window: window === undefined ? null : Number(window) }
}
