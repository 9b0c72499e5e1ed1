import { describe, expect, it } from 'vitest'
import { type AuditEntry, entryText } from '../../../src/agent/domain/audit.ts'
import { readRow, rowHash, verifyChain } from '../../../src/agent/domain/audit-chain.ts'

const entry: AuditEntry = {
  ...{ version: 1, workspace: 'web:local', thread: 'c_1', by: 'uschi ü' },
  ...{ run: 'r_1', step: 1, tool: 'mail', effect: 'x_1', kind: 'outcome', result: 'ok' },
}

/** A chain as the store writes it. */
function chainOf(entries: readonly AuditEntry[]): string[] {
  let before = ''
  return entries.map((one, at) => {
    const body = `{"seq":${at + 1},"before":"${before}","contents":"",${entryText(one, 1_772_600_000_000).slice(1, -1)}`
    before = rowHash(body)
    return `${body},"hash":"${before}"}`
  })
}
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
const faultOf = (lines: readonly string[], known?: { seq: number; hash: string }) =>
  verifyChain(text(lines), known && new Map([['web:local', known]])).fault

describe('the chain of the audit', () => {
  const lines = chainOf([
    entry,
    { ...entry, step: 2 },
    { ...entry, step: 3 },
    { ...entry, step: 4 },
  ])
  const [one = '', two = '', three = '', four = ''] = lines

  it('is whole as it was written, of several workspaces too', () => {
    const others = chainOf([{ ...entry, workspace: 'slack:T1' }])
    const report = verifyChain(text([one, ...others, two, three, four]))
    expect(report).toMatchObject({ rows: 5, fault: null })
    expect(report.heads.get('web:local')).toEqual({ seq: 4, hash: readRow(four)?.hash })
    expect(report.heads.get('slack:T1')?.seq).toBe(1)
  })

  it('shows every change of every single byte (C713)', () => {
    const bytes = Buffer.from(text(lines.slice(0, 2)))
    for (let at = 0; at < bytes.length; at++) {
      // Each byte becomes each other one, those that are no text included.
      for (let value = 0; value < 256; value++) {
        if (bytes[at] === value) continue
        const changed = Buffer.from(bytes)
        changed[at] = value
        const { fault } = verifyChain(changed.toString('utf8'))
        if (fault === null) expect.fail(`byte ${at} as ${value} is not found`)
      }
    }
  })

  it('names rows that were taken out, at the beginning and at the end too (C713)', () => {
    const missing = { workspace: 'web:local', kind: 'missing' }
    expect(faultOf([one, three, four])).toEqual({ ...missing, line: 2, from: 2, to: 2 })
    expect(faultOf([three, four])).toMatchObject({ ...missing, from: 1, to: 2 })
    const head = { seq: 4, hash: readRow(four)?.hash ?? '' }
    expect(faultOf([one, two], head)).toMatchObject({ ...missing, from: 3, to: 4 })
    expect(faultOf([], head)).toMatchObject({ ...missing, from: 1, to: 4 })
    expect(faultOf([one, two])).toBeNull()
  })

  it('names rows that stand elsewhere or twice (C713)', () => {
    const reordered = { kind: 'reordered', workspace: 'web:local' }
    expect(faultOf([one, two, two, three])).toEqual({ ...reordered, line: 3, seq: 2, expected: 3 })
    expect(faultOf([two, one, three])).toMatchObject({ ...reordered, seq: 1, expected: 3 })
    expect(faultOf([one, three, two, four])).toMatchObject({ kind: 'missing', from: 2, to: 2 })
  })

  it('names a chain that was written anew by a head that was noted before (C713)', () => {
    const anew = chainOf([entry, { ...entry, step: 7 }, { ...entry, step: 3 }])
    expect(faultOf(anew)).toBeNull()
    const head = { seq: 3, hash: readRow(three)?.hash ?? '' }
    expect(faultOf(anew, head)).toMatchObject({ kind: 'replaced', seq: 3 })
    expect(faultOf([one, anew[1] ?? '', three])).toMatchObject({ kind: 'replaced', seq: 3 })
  })

  it('takes a beginning that the retention removed, where a row says so (C714)', () => {
    const trimmed: AuditEntry = {
      ...{ version: 1, workspace: 'web:local', thread: null, by: null },
      ...{ kind: 'trimmed', to: 2, last: readRow(two)?.hash ?? '' },
    }
    const whole = chainOf([entry, { ...entry, step: 2 }, { ...entry, step: 3 }, trimmed])
    expect(faultOf(whole.slice(2))).toBeNull()
    expect(faultOf(whole.slice(3))).toMatchObject({ kind: 'missing', from: 1, to: 3 })
  })

  it('holds nothing but ASCII, so that no byte is lost in reading', () => {
    expect(entryText({ ...entry, by: '春 ü\n"' }, 1)).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(entryText({ ...entry, by: '春 ü\n"' }, 1))).toMatchObject({ by: '春 ü\n"' })
  })
})
