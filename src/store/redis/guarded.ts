import { NotWritten } from '../../agent/ports/not-written.ts'
import { StoreError } from './errors.ts'

/**
 * A part of the store whose failures say whether trying again can help (P18): `away` when Redis did not take or answer a
 * command, `damaged_row` when something else is where the rows should be. What is neither is a fault of the code, as it is.
 */
export function guarded<P extends object>(part: P): P {
  return new Proxy(part, {
    get(target, key, receiver) {
      const method: unknown = Reflect.get(target, key, receiver)
      if (typeof method !== 'function') return method
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(method, target, args)
        return answer instanceof Promise ? answer.catch(rethrow) : answer
      }
    },
  })
}

/** @throws StoreError, or the error itself where it is none of Redis'. */
function rethrow(error: unknown): never {
  if (!(error instanceof Error) || isKnown(error) || isFault(error)) throw error
  throw new StoreError(error.message.startsWith('WRONGTYPE') ? 'damaged_row' : 'away', error.message, error)
}

/** It says by itself what it is. */
const isKnown = (error: Error) => error instanceof StoreError || error instanceof NotWritten

const isFault = (error: Error) =>
  [TypeError, RangeError, SyntaxError, ReferenceError].some((kind) => error instanceof kind)
