import { noUsage } from '../domain/usage.ts'
import type { Model } from '../ports/model.ts'
import type { FirstModel } from './openai.ts'

/**
 * The model of an endpoint that could not say at the start which one it has: each call looks again until it is known, so that
 * a server that is started later is used then (C94).
 */
export function createFirstModel(deps: {
  /** Stands in for the model's name. */
  name: string
  find(): Promise<FirstModel>
  create(name: string): Model
}): Model {
  let known: Model | null = null
  return {
    name: deps.name,
    async call(contract, input, signal, written) {
      if (known === null) {
        const found = await deps.find()
        if ('failure' in found) {
          const { failure: kind, problem: message } = found
          return { ok: false, code: 'unavailable', kind, message, retryAfterMs: null, usage: noUsage }
        }
        known = deps.create(found.name)
      }
      return await known.call(contract, input, signal, written)
    },
  }
}
