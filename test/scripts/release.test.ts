import { describe, expect, it } from 'vitest'
import creator from '../../create-clew/package.json' with { type: 'json' }
import clew from '../../package.json' with { type: 'json' }
import { dated, isNewer, notesOf } from '../../scripts/release.ts'

describe('dated', () => {
  it('puts what is unreleased under the version and its day', () => {
    const before =
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n'
    expect(dated(before, '0.2.0', '2026-11-22')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-22\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n',
    )
  })

  it('refuses a release with nothing in it', () => {
    expect(() =>
      dated('## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n', '0.2.0', '2026-11-22'),
    ).toThrow('empty')
    expect(() => dated('# Changelog\n', '0.2.0', '2026-11-22')).toThrow('no [Unreleased]')
  })
})

describe('isNewer', () => {
  it.each([
    ['0.2.0', true],
    ['0.1.10', true],
    ['1.0.0', true],
    ['0.1.9', false],
    ['0.1.8', false],
    ['0.2', false],
    ['v0.2.0', false],
  ])('%s after 0.1.9: %s', (next, expected) => {
    expect(isNewer(next, '0.1.9')).toBe(expected)
  })
})

describe('notesOf', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-22\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n'

  it('are the section of the tag (C572)', () => {
    expect(notesOf(changelog, 'v0.2.0')).toBe('### Added\n\n- A thing.')
    expect(notesOf(changelog, 'v0.1.0')).toBe('- The first.')
  })

  it.each(['v0.3.0', 'v0.2', 'v0.2.0-1', ''])('refuses the unknown tag "%s"', (tag) => {
    expect(() => notesOf(changelog, tag)).toThrow('no section')
  })
})

it('keeps one version in what is published together (C573)', () => {
  expect(creator.version).toBe(clew.version)
})
