import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  builtPatterns,
  judge,
  literalsOf,
  type Pattern,
  type Source,
  sources,
} from './support/patterns.ts'

// The checker as JavaScript, so that it is the same on every machine; its default is a program of its own.
process.env.RECHECK_BACKEND = 'pure'
const { checkSync } = await import('recheck')

/**
 * Patterns that were judged before, a line each, and found in order: what takes time in proportion does so for ever.
 * `CLEW_PATTERNS=write` adds what is new, and `CLEW_PATTERNS=all` believes none of it, for a release: that takes minutes.
 */
const listed = join(import.meta.dirname, 'fixtures/linear-patterns.txt')
const mode = process.env.CLEW_PATTERNS
const judgedBefore = new Set(mode === 'all' ? [] : readFileSync(listed, 'utf8').split('\n'))
const nameOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`

const complaintsAbout = (patterns: readonly Pattern[]): string[] => {
  const distinct = new Map(patterns.map((pattern) => [nameOf(pattern), pattern]))
  const open = [...distinct].filter(([name]) => !judgedBefore.has(name))
  return open.flatMap(([, pattern]) => judge(pattern, checkSync) ?? [])
}

describe('regular expressions', () => {
  it('take time in proportion to the text, every one of them (S11)', async () => {
    const files = sources()
    const built = await builtPatterns(files, (path) => import(path))
    const patterns = [...files.flatMap(literalsOf), ...built.patterns]
    expect(patterns.length).toBeGreaterThan(200)
    expect([...built.complaints, ...complaintsAbout(patterns)]).toEqual([])
    if (mode === 'write')
      writeFileSync(listed, [...new Set(patterns.map(nameOf))].sort().join('\n'))
  })
})

describe('the check of them', () => {
  const madeUp = (source: string): Source => ({ path: 'test/patterns.test.ts', source })

  it('finds patterns that are slow, and says where', () => {
    const source =
      'const a = 1\nconst b = [/[\\s.!。！]+$/u, /a+b/, /^(a+)+$/, /^a+b/, /\\s+/g, /[*+]{2,3}/]'
    expect(complaintsAbout(literalsOf(madeUp(source)))).toEqual([
      expect.stringContaining('test/patterns.test.ts:2 /[\\s.!。！]+$/u takes'),
      expect.stringContaining('/a+b/ takes'),
      expect.stringContaining('/^(a+)+$/ takes'),
    ])
  })

  it('lets nothing pass that it cannot decide', () => {
    const undecided: typeof checkSync = (source, flags) => ({
      source,
      flags,
      status: 'unknown',
      checker: 'automaton',
      error: { kind: 'timeout' },
    })
    const pattern = { where: 'src/a.ts:1', source: 'a+', flags: '' }
    expect(judge(pattern, undecided)).toBe('src/a.ts:1 /a+/ cannot be decided: timeout')
  })

  it('sees what is built from parts, and refuses what is built too late to be seen', async () => {
    const build = async () => new RegExp(`[ab]${'+'}$`, 'u')
    const seen = await builtPatterns([madeUp('new RegExp(a)')], build)
    expect(seen.patterns).toEqual([
      { where: expect.stringMatching(/:\d+$/), source: '[ab]+$', flags: 'u' },
    ])
    expect(seen.complaints).toEqual([])
    const late = await builtPatterns([madeUp('new RegExp(a)\nconst f = () => RegExp(b)')], build)
    expect(late.complaints).toEqual([
      'test/patterns.test.ts builds patterns later than when it is loaded',
    ])
  })
})
