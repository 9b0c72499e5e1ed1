import { chardet } from 'jschardet'
import type { Readable } from '../../agent/domain/document.ts'
import { certainText, decodeAs, isUtf32 } from '../../agent/domain/text-bytes.ts'
import { Unread } from './unread.ts'

/** Length of the sample that is used to detect the encoding, in bytes. */
const sampleBytes = 64 * 1024

/**
 * Options that limit detection to encodings still in use. Older ones make short texts ambiguous.
 */
const options = { encodingEra: chardet.EncodingEra.MODERN_WEB, maxBytes: sampleBytes }

// The first detection unpacks tables, so it runs here, before a document's time starts.
chardet.detectAll(Uint8Array.of(0xe9), options)

/** Maps the detector's names for encodings to those of the platform's decoder. */
const labels: Readonly<Record<string, string>> = {
  CP932: 'shift_jis',
  SHIFT_JIS_2004: 'shift_jis',
  CP949: 'euc-kr',
  CP874: 'windows-874',
  'TIS-620': 'windows-874',
  'EUC-JIS-2004': 'euc-jp',
  BIG5HKSCS: 'big5',
}

/** Characters that no text contains, a sign of a wrong guess. */
const foreign = /[\x80-\x84\x86-\x9f\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff]/

/** Word that mixes Latin letters with another script, a sign of a wrong guess. */
const mixedWord =
  /[a-z][\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}][a-z]/iu

/**
 * Decodes a text in the encoding that fits it best (C405).
 *
 * @throws {Unread} if no encoding fits.
 */
export function readText(bytes: Uint8Array): Readable {
  const certain = certainText(bytes)
  if (certain !== null) return { title: '', text: certain.text }
  if (isUtf32(bytes)) throw new Unread('encoding', 'UTF-32')
  if (bytes.includes(0)) throw new Unread('binary')
  const found = damagedUtf8(bytes) ?? guessText(bytes)
  return { title: '', ...found }
}

/** Decodes a text in the first encoding that fits. */
function fittingIn(names: readonly string[], bytes: Uint8Array) {
  for (const name of names) {
    const it = decodeAs(labels[name.toUpperCase()] ?? name, bytes)
    if (it !== null && !foreign.test(it.text) && !mixedWord.test(it.text)) return it
  }
  return null
}

function guessText(bytes: Uint8Array): { text: string; encoding: string } {
  const names = chardet
    .detectAll(bytes, options)
    .flatMap(({ encoding }) => (encoding === null ? [] : [encoding]))
  const western = decodeAs('windows-1252', bytes)
  const fitting = fittingIn(names, bytes)
  // If both decode to the same text, the more common encoding is named.
  if (fitting !== null && fitting.text !== western?.text) return fitting
  if (western !== null) return western
  throw new Unread('encoding', names[0] ?? 'an unknown encoding')
}

/** Decodes UTF-8 with a few damaged bytes, such as a file that was cut within a character. */
function damagedUtf8(bytes: Uint8Array): { text: string; encoding: string } | null {
  const text = new TextDecoder().decode(bytes)
  const wide = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0
  const damaged = text.match(/\ufffd/g)?.length ?? 0
  return damaged * 20 < wide ? { text, encoding: 'utf-8' } : null
}
