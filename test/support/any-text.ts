import fc from 'fast-check'

/** What `unit: 'binary'` means to fast-check, which takes two seconds to make that ready in each process that asks for it. */
const codePoint = fc
  .oneof({ weight: 9, arbitrary: fc.nat(0xd7ff) }, fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(
    (code) => String.fromCodePoint(code),
    (text) => {
      const [only, ...rest] = String(text)
      if (only === undefined || rest.length > 0) throw new Error('no single code point')
      return only.codePointAt(0) ?? 0
    },
  )

/** Any text of whole code points, at most `maxLength` of them. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...(maxLength === undefined ? {} : { maxLength }) })
