import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProgram } from './find-program.ts'

describe('findProgram', () => {
  it('finds a program under any of its names and ignores files that cannot be run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clew-programs-'))
    const program = join(folder, 'google-chrome')
    writeFileSync(join(folder, 'chromium'), '')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o755)

    expect(findProgram('chromium', `/nowhere:${folder}`)).toBe(program)
  })

  it('answers null where there is none', () => {
    expect(findProgram('redis-server', '')).toBeNull()
    expect(findProgram('redis-server', '/nowhere')).toBeNull()
  })
})
