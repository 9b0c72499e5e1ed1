/**
 * `clew audit verify [file]`: looks whether each row of the audit is as it was written, and follows the one before it (C713). Exits 1
 * when one is not, and names it; 2 when nothing can be read. `clew audit export` prints the rows.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { assertNever } from '../src/agent/domain/assert.ts'
import type { ChainHead } from '../src/agent/domain/audit.ts'
import { type ChainFault, verifyChain } from '../src/agent/domain/audit-chain.ts'
import type { Audit } from '../src/agent/ports/audit.ts'
import { silent } from '../src/agent/ports/log.ts'
import { allRows } from '../src/agent/read-audit.ts'
import { createSystemClock } from '../src/clock.ts'
import { openStorage } from '../src/compose/storage.ts'
import { type Config, readConfig } from '../src/config.ts'
import { readEnvironment } from '../src/environment.ts'
import { connect } from '../src/store/redis/connection.ts'
import { createRedisStore } from '../src/store/redis/store.ts'
import { exitWith } from './exit-code.ts'

const usage = `clew audit verify [file]  of an exported file, or of the store that the settings name
clew audit export         prints the rows of the store, as /api/audit does

  --head <workspace>=<number>:<hash>  a row that was noted elsewhere; may be given several times`

interface Source {
  text: string
  heads: ReadonlyMap<string, ChainHead>
}

/** @returns the exit code. */
export async function auditWith(
  args: readonly string[],
  say: (line: string) => void,
  readStore: () => Promise<Source>,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { head: { type: 'string', multiple: true, default: [] } },
  })
  const [verb, path, ...more] = positionals
  const noted = values.head.map(headIn)
  const isKnown = verb === 'verify' || (verb === 'export' && path === undefined)
  if (!isKnown || more.length > 0 || noted.includes(null)) {
    say(usage)
    return 2
  }
  const { text, heads } =
    path === undefined
      ? await readStore()
      : { text: await readFile(path, 'utf8'), heads: new Map<string, ChainHead>() }
  if (verb === 'export') {
    if (text !== '') say(text.trimEnd())
    return 0
  }
  const known = new Map([...heads, ...noted.filter((one) => one !== null)])
  const { rows, heads: found, fault } = verifyChain(text, known)
  if (fault !== null) {
    say(`Row ${told(fault)}`)
    return 1
  }
  for (const [workspace, { seq, hash }] of found) say(`${workspace}=${seq}:${hash}`)
  say(`${rows} rows: each as it was written, none missing between the first and the last.`)
  return 0
}

function headIn(text: string): [string, ChainHead] | null {
  const [, workspace, seq, hash] = /^(.+)=(\d+):([0-9a-f]{40})$/.exec(text) ?? []
  if (workspace === undefined || hash === undefined) return null
  return [workspace, { seq: Number(seq), hash }]
}

function told(fault: ChainFault): string {
  const { workspace, line } = fault
  const where = `(line ${line}${workspace === null ? '' : `, ${workspace}`})`
  switch (fault.kind) {
    case 'changed':
      return `${fault.seq ?? '?'} ${where} is not as it was written.`
    case 'missing':
      return `${fault.from} ${where} is missing, and all up to ${fault.to}.`
    case 'reordered':
      return `${fault.seq} ${where} stands where ${fault.expected} should.`
    case 'replaced':
      return `${fault.seq} ${where} is not the one that was written after the row before it, or that was noted.`
    default:
      return assertNever(fault)
  }
}

/** Rows of every workspace, and the newest one of each as the store knows it. */
export async function rowsOf(audit: Audit): Promise<Source> {
  const heads = new Map<string, ChainHead>()
  const lines: string[] = []
  for (const workspace of await audit.workspaces()) {
    const head = await audit.head(workspace)
    if (head === null) continue
    heads.set(workspace, head)
    for await (const rows of allRows(audit, workspace)) lines.push(...rows)
  }
  return { text: lines.map((line) => `${line}\n`).join(''), heads }
}

async function readStore(config: Config): Promise<Source> {
  const storage = config.REDIS_URL === undefined ? await openStorage(config, { log: silent }) : null
  const redis = connect(storage?.url ?? config.REDIS_URL ?? '', 'commands')
  const store = createRedisStore({ redis, clock: createSystemClock(), worker: 'audit' })
  try {
    return await rowsOf(store.audit)
  } finally {
    await store.close()
    await storage?.stop()
  }
}

export const main = (): Promise<void> =>
  exitWith(async (args, say) => {
    const { env, inFile } = readEnvironment()
    return await auditWith(args, say, () => readStore(readConfig(env, inFile)))
  })
