import { describe, expect, it } from 'vitest'
import { scan } from '../../scripts/source.ts'

const strings = (source: string): string[] => scan(source).strings.map(({ text }) => text)

describe('scan', () => {
  it('keeps the length and the lines of what it blanks', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the snippet is the subject
    const source = "const a = 'x' // one\nconst b = /* two\nlines */ `y${a}z`\n"
    const { code } = scan(source)
    expect(code).toHaveLength(source.length)
    expect(code.split('\n')).toHaveLength(source.split('\n').length)
    expect(code).toContain("const a = ' '")
    expect(code).not.toMatch(/one|two|lines|y|z/)
  })

  it('collects comments, strings and the fixed parts of templates', () => {
    const { comments } = scan("f('// not') // a\n/* b */ g()")
    expect(comments).toEqual(['// a', '/* b */'])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the snippet is the subject
    expect(strings('`a${b ? `c${d}` : { e: "f" }}g`')).toEqual(['a', 'c', '', 'f', 'g'])
    expect(strings("'it\\'s' + \"a 'b'\"")).toEqual(["it\\'s", "a 'b'"])
  })

  it('is not misled by quotes and slashes in regular expressions, nor by division', () => {
    expect(strings(`const a = /['"/[/]]/.test('x') / 2 / 'y'`)).toEqual(['x', 'y'])
    expect(strings(`if (a) return /'/g\nb = 'z'`)).toEqual(['z'])
    expect(scan('a / b // c').comments).toEqual(['// c'])
    expect(strings(`<p>{a}</p>; b = 'c' / 2`)).toEqual(['c'])
  })

  it('collects regular expressions with their flags', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the snippet is the subject
    const { patterns } = scan("a = /[/]\\/b/giu.test(c) / d / e ? '/f/' : `${/g/}` // /h/")
    expect(patterns.map(({ source, flags }) => ({ source, flags }))).toEqual([
      { source: '[/]\\/b', flags: 'giu' },
      { source: 'g', flags: '' },
    ])
  })
})
