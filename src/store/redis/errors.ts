export type StoreErrorCode = 'bad_url' | 'unsafe_settings' | 'unreachable' | 'unknown_version' | 'damaged_row' | 'away'

/** A store that cannot be used, with advice in its message; `away`: for a while, so the same call may work later. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.code = code
  }
}
