/** Text with the encoding that it was read in. */
export interface DecodedText {
  text: string
  encoding: string
}

const byteOrderMarks = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
]

/** Part of a file that shows what it is, in bytes. */
export const headBytes = 4_096

/**
 * Text whose encoding is certain: by its byte order mark, or since it is valid UTF-8 or UTF-16 in
 * which every other byte is zero. Null for everything else; the reader process looks further
 * (C405).
 */
export function certainText(bytes: Uint8Array): DecodedText | null {
  if (isUtf32(bytes)) return null
  const marked = byteOrderMarks.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))
  if (marked !== undefined) return decodeAs(marked.encoding, bytes)
  return decodeAs('utf-8', bytes) ?? decodeAs(zeroPattern(bytes), bytes)
}

/**
 * Text of a file that people or programs of the team write: damaged places of it are marked, and
 * nothing is refused.
 */
export const anyText = (bytes: Uint8Array): string =>
  certainText(bytes)?.text ?? new TextDecoder().decode(bytes)

/** Null if the bytes are not valid in that encoding, or say what no text does. */
export function decodeAs(
  encoding: string | null,
  bytes: Uint8Array,
  fatal = true,
): DecodedText | null {
  if (encoding === null) return null
  try {
    const decoder = new TextDecoder(encoding, { fatal })
    const text = decoder.decode(bytes)
    return text.includes('\0') ? null : { text, encoding: decoder.encoding }
  } catch {
    return null
  }
}

/**
 * Text in the encoding that its sender names, damaged places included; null for a name that nobody
 * knows.
 */
export const decodeLoosely = (label: string, bytes: Uint8Array): DecodedText | null =>
  decodeAs(label, bytes, false)

export const isUtf32 = (bytes: Uint8Array): boolean =>
  [
    [0xff, 0xfe, 0, 0],
    [0, 0, 0xfe, 0xff],
  ].some((mark) => bytes.length > 3 && mark.every((byte, at) => bytes[at] === byte))

/** UTF-16 without a mark: in most languages about every other byte is zero, on one side only. */
function zeroPattern(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, headBytes)
  const zeros = [0, 0]
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const many = head.length / 4
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : null
}

/** True if the beginning of a file is certainly no text. */
export function isBinary(head: Uint8Array): boolean {
  const start = head.subarray(0, headBytes)
  if (isUtf32(start) || zeroPattern(start) !== null) return false
  return start.includes(0) && certainText(start.subarray(0, start.length & ~1)) === null
}
