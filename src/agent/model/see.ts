import { APIError } from 'openai'
import type { Log } from '../ports/log.ts'
import type { Model } from '../ports/model.ts'
import type { Complete } from './ai-sdk.ts'
import { wordsOf } from './reading.ts'

const request =
  'Describe this image for somebody who cannot see it and has to work with it: what it shows, and every word and number that can be read, tables as tables. No introduction.'

/** Long enough for a page of numbers. */
const mostTokens = 1_500

/** Refusals in a row after which a model is taken to see nothing: the first may have been the image's fault. */
const refusalsUntilBlind = 2

/**
 * Looks at images with the model that works on tasks. Whether a model can is not asked for anywhere: its answers show it,
 * and one that takes no images is not sent more of them.
 */
export function createSight(deps: {
  complete: Complete
  model: string
  timeoutMs: number
  log: Log
}): NonNullable<Model['see']> {
  let refusals = 0
  return async ({ type, bytes }, signal) => {
    if (refusals >= refusalsUntilBlind) return null
    const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
    try {
      const answer = await deps.complete(
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
      refusals = 0
      return wordsOf(answer)
    } catch (error) {
      const status = error instanceof APIError ? (error.status ?? null) : null
      refusals = refusing.includes(status ?? 0) ? refusals + 1 : 0
      const isBlind = refusals >= refusalsUntilBlind
      const why = isBlind ? 'The model takes no images; none is sent to it any more' : 'An image could not be looked at'
      deps.log.info({ model: deps.model, status }, why)
      return null
    }
  }
}

/** The request as such is refused, whatever the image is. */
const refusing = [400, 404, 415, 422, 501]
