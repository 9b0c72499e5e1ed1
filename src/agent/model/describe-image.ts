import { APIError } from 'openai'
import { imageTokens } from '../domain/attached-image.ts'
import { noUsage } from '../domain/usage.ts'
import type { Log } from '../ports/log.ts'
import type { Sight, Usage } from '../ports/model.ts'
import { textIn } from './reading.ts'
import type { Complete } from './stream.ts'
import type { Vision } from './vision.ts'

const request =
  'Describe this image for somebody who cannot see it and has to work with it: what it shows, and every word and number that can be read, tables as tables. No introduction.'

/** Long enough for a page of numbers. */
const mostTokens = 1_500

/**
 * Looks at images with the model that works on tasks, if it can. What it took is told with what it
 * says (C36).
 */
export function createSight(deps: {
  complete: Complete
  model: string
  timeoutMs: number
  log: Log
  vision: Vision
  /** With what it costs. */
  priced(usage: Usage): Usage
}): Sight {
  const { vision } = deps
  const estimate = deps.priced({ promptTokens: imageTokens, completionTokens: mostTokens })
  const nothing = { words: null, usage: noUsage }
  const look: Sight['look'] = async ({ type, bytes }, signal) => {
    if (vision.isBlind()) return nothing
    const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
    try {
      const { message, usage } = await deps.complete(
        {
          model: deps.model,
          max_completion_tokens: mostTokens,
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: request },
                { type: 'image_url', image_url: { url } },
              ],
            },
          ],
        },
        { timeout: deps.timeoutMs, signal },
      )
      vision.saw()
      return { words: textIn(message.content).trim() || null, usage: deps.priced(usage) }
    } catch (error) {
      const status = error instanceof APIError ? (error.status ?? null) : null
      deps.log.info({ model: deps.model, status }, 'image not described')
      if (refusing.includes(status ?? 0)) vision.refused()
      else vision.saw()
      return nothing
    }
  }
  return { estimate, look }
}

/** The request as such is refused, whatever the image is. */
const refusing = [400, 404, 415, 422, 501]
