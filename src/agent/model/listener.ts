import { OpenAI, toFile } from 'openai'
import { costOf, type Price } from '../domain/budget.ts'
import { noUsage } from '../domain/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Listener } from '../ports/listener.ts'
import type { Log } from '../ports/log.ts'
import { adviceFor } from './advice.ts'
import { failureOf } from './failures.ts'

interface Options {
  /** Null for endpoints that want none. */
  apiKey: string | null
  baseURL: string
  model: string
  timeoutMs: number
  price?: Price | undefined
  log: Log
  clock: Pick<Clock, 'now'>
}

const settings = {
  key: 'OPENAI_API_KEY',
  url: 'OPENAI_BASE_URL',
  model: 'AGENT_TRANSCRIBE_MODEL',
}

/** Listens by `/audio/transcriptions` of an OpenAI-compatible endpoint (C886). */
export function createListener({ apiKey, baseURL, model, price, ...deps }: Options): Listener {
  const { timeoutMs: timeout, log, clock } = deps
  const client = new OpenAI({ apiKey: apiKey ?? 'none', baseURL, maxRetries: 0 })
  return {
    async listen({ name, type, bytes }, signal) {
      try {
        const file = await toFile(bytes, name, { type })
        const body = { file, model, response_format: 'json' } as const
        const answer = await client.audio.transcriptions.create(body, { timeout, signal })
        const { usage: used } = answer
        const tokens =
          used?.type === 'tokens'
            ? { promptTokens: used.input_tokens, completionTokens: used.output_tokens }
            : noUsage
        const usage = { ...tokens, cost: price && costOf(price, tokens) }
        return { words: typeof answer.text === 'string' ? answer.text.trim() : null, usage }
      } catch (error) {
        if (signal.aborted) return { words: null, usage: noUsage }
        const { kind } = failureOf(error, clock.now(), apiKey)
        log.warn({ model, kind }, `audio not listened to: ${adviceFor(kind, settings).mend}`)
        return { words: null, usage: noUsage }
      }
    },
  }
}
