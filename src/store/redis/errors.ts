export type StoreErrorCode = 'bad_url' | 'unsafe_settings' | 'unreachable' | 'unknown_version' | 'damaged_row'

/** A store that cannot be used, with advice in its message. A store that is away for a while throws ioredis' own errors. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.name = 'StoreError'
    this.code = code
  }
}
