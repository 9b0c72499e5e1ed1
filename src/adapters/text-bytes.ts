/** Text of a file that people write by hand: in UTF-16 by its byte order mark or its zeros, as PowerShell writes it, else in UTF-8. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes)).decode(bytes)

function encodingOf([first, second]: Uint8Array): string {
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  if (isLittle) return 'utf-16le'
  return isBig && second !== undefined ? 'utf-16be' : 'utf-8'
}
