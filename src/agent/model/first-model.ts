import { imageTokens } from '../domain/attached-image.ts'
import { noUsage } from '../domain/usage.ts'
import type { Model } from '../ports/model.ts'
import type { FirstModel } from './openai.ts'

/**
 * The model of an endpoint that could not say at the start which one it has: each call, and each
 * look at an image, asks again until it is known, so that a server that is started later is used
 * then (C94).
 */
export function createFirstModel(deps: {
  /** Stands in for the model's name. */
  name: string
  find(): Promise<FirstModel>
  create(name: string): Model
}): Model {
  let known: Model | null = null
  async function open() {
    if (known !== null) return known
    const found = await deps.find()
    if ('failure' in found) return found
    known = deps.create(found.name)
    return known
  }
  return {
    name: deps.name,
    async call(contract, input, signal, written) {
      const model = await open()
      if ('call' in model) return await model.call(contract, input, signal, written)
      const { failure: kind, problem: message } = model
      return { ok: false, code: 'unavailable', kind, message, retryAfterMs: null, usage: noUsage }
    },
    sight: {
      get estimate() {
        return known?.sight?.estimate ?? noUsage
      },
      async look(image, signal) {
        const model = await open()
        const sight = 'call' in model ? model.sight : undefined
        return (await sight?.look(image, signal)) ?? { words: null, usage: noUsage }
      },
    },
    image: { promptTokens: imageTokens, completionTokens: 0 },
  }
}
