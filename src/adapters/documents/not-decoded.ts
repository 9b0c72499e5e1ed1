/** Bytes that are no text, or text in an encoding that this process has no decoder for. */
export class NotDecoded extends Error {
  readonly encoding: string | null

  constructor(encoding: string | null) {
    super('not decoded')
    this.encoding = encoding
  }
}
