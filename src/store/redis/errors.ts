import { ReplyError } from 'ioredis'
import { NotWritten } from '../../agent/ports/not-written.ts'

export type StoreErrorCode =
  | 'bad_url'
  | 'unsafe_settings'
  | 'unreachable'
  | 'unknown_version'
  | 'damaged_row'
  | 'away'

/**
 * A store that cannot be used, with advice in its message. `away` is temporary, so the same call
 * may work later.
 */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.code = code
  }
}

/**
 * Reasons by which Redis refuses a command or script as a whole, by the code that its answer begins
 * with. NOPERM is not among them: a script may meet it halfway.
 */
const refusals: Readonly<Record<string, string>> = {
  OOM: 'the store takes no more writes, its memory is full: raise maxmemory, or keep less (RETENTION_DAYS)',
  READONLY:
    'the store is a read-only replica: Clew connects anew until REDIS_URL leads to the primary',
  MISCONF: 'the store takes no writes, it cannot save to its disk: make room there',
  NOREPLICAS: 'the store takes no writes, it has too few replicas (min-replicas-to-write)',
  LOADING: 'the store is still reading its file: it answers when it has',
  MASTERDOWN:
    'the store is a replica that has lost its primary: Clew connects anew until REDIS_URL leads to one',
  CLUSTERDOWN: 'the cluster is down: some of its slots are served by no node',
  NOAUTH: 'the store wants a password: put it into REDIS_URL',
  WRONGPASS: 'the store does not take the name and password in REDIS_URL',
}

/**
 * Reason of Redis for refusing a command as a whole. Null after any other error, when it may have
 * been carried out.
 */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error && error instanceof ReplyError)) return null
  return refusals[error.message.split(' ', 1)[0] ?? ''] ?? null
}

/**
 * Wraps a part of the store so that its failures say whether a retry can help (P18). `away`: Redis
 * did not accept or answer a command. `damaged_row`: something else is where the rows should be.
 * Any other error is a fault of the code, and passes unchanged.
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

/** @throws StoreError, or the error itself if it is not from Redis. */
function rethrow(error: unknown): never {
  if (!(error instanceof Error) || saysWhatItIs.some((kind) => error instanceof kind)) throw error
  throw new StoreError(
    error.message.startsWith('WRONGTYPE') ? 'damaged_row' : 'away',
    error.message,
    error,
  )
}

const saysWhatItIs = [StoreError, NotWritten, TypeError, RangeError, SyntaxError, ReferenceError]
