import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/agent/domain/audit.ts'
import { readRow, verifyChain } from '../../../src/agent/domain/audit-chain.ts'
import { adding } from '../memories.ts'
import type { Parts } from '../store.ts'
import {
  ana,
  at,
  changeOf,
  claim,
  commitOnce,
  itemOf,
  openRun,
  openThread,
  workspace,
} from './rows.ts'

const outcomeOf = (patch: { step: number; thread?: string | null }): AuditEntry => ({
  ...{ version: 1, workspace, thread: null, by: ana.id, run: 'r_1', tool: 'mail' },
  ...{ effect: `x_${patch.step}`, kind: 'outcome', result: 'ok' },
  ...patch,
})

/** What every `Audit` promises, and the writes that add to it. */
export function describeAudit(parts: Parts) {
  const rows = async (home = workspace) => await parts.store.audit.rows(home, 0, 1_000)
  const read = async (home = workspace) => (await rows(home)).map(readRow)

  it('adds the rows of a commit in its one write, once (C710)', async () => {
    const { run, conversationId: thread } = await openRun(parts.store)
    const lease = await claim(parts.store, itemOf('run', run.id))
    const audit = [1, 2].map((step) => ({ entry: outcomeOf({ step, thread }), contents: 'sent' }))
    const change = changeOf({ audit })
    await parts.store.commits.commit(lease, change)
    await parts.store.commits.commit(lease, change)
    expect(await parts.store.commits.commit({ ...lease, fence: 0 }, changeOf({ audit }))).toEqual({
      kind: 'fenced',
    })
    const expect_ = [{ kind: 'run_status' as const, runId: run.id, status: 'failed' as const }]
    await parts.store.commits.commit(lease, changeOf({ audit, expect: expect_ }))
    expect(await read()).toMatchObject([
      { seq: 1, before: '', step: 1, by: ana.id, thread },
      { seq: 2, step: 2 },
    ])
    const { fault, heads } = verifyChain((await rows()).join('\n'))
    expect(fault).toBeNull()
    expect(await parts.store.audit.head(workspace)).toEqual(heads.get(workspace))
  })

  it('gives each row a place of its own when many commit at once (C710)', async () => {
    const runs = await Promise.all(
      [...Array(8).keys()].map(async (n) => {
        const id = await openThread(parts.store, { thread: `t${n}`, keys: [`k${n}`] })
        return await claim(parts.store, itemOf('conversation', id))
      }),
    )
    await Promise.all(
      runs.map((lease, n) =>
        parts
          .open(`w${n}`)
          .commits.commit(
            lease,
            changeOf({ audit: [{ entry: outcomeOf({ step: n, thread: lease.item.id }) }] }),
          ),
      ),
    )
    expect((await read()).map((row) => row?.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(verifyChain((await rows()).join('\n')).fault).toBeNull()
    expect(await read('web:other')).toEqual([])
  })

  it('writes every change that people make of what Clew keeps with its row, once (C711)', async () => {
    const { todos, schedules, memories, notes } = parts.store
    const thread = await openThread(parts.store)
    const by = (id: string) => ({ id, by: ana.id, thread })
    const todo = {
      ...{ text: 'Call Ben', tag: 'default', priority: 0, dueAt: null, remindAt: null },
      ...{ doneAt: null, createdAt: at },
    }
    for (const _ of [1, 2]) await todos.add(workspace, 'channel:general', by('e1'), todo)
    await todos.update(workspace, 'channel:general', by('e2'), 1, { doneAt: at })
    await todos.update(workspace, 'channel:general', by('e3'), 9, { doneAt: at })
    for (const _ of [1, 2]) await todos.remove(workspace, 'channel:general', by('e4'), 1)
    await memories.change(workspace, 'channel:general', by('e5'), adding('Lisbon'))
    await memories.change(workspace, 'channel:general', by('e6'), () => null)
    const setting = (id: string) => ({ name: 'quiet', scope: 'user:u1', effect: by(id) })
    for (const _ of [1, 2]) await notes.put(workspace, 'quiet', 'x', null, setting('e7'))
    await notes.drop(workspace, 'quiet', setting('e8'))
    // Clew's own bookkeeping.
    await todos.add(workspace, 'channel:general', 'e9', todo)
    expect(await notes.get(workspace, 'quiet')).toBeNull()
    expect(await schedules.list(workspace, 'channel:general')).toEqual([])
    const all = await read()
    expect(all.every((row) => row?.by === ana.id && row.thread === thread)).toBe(true)
    expect(all.map((row) => row?.kind === 'kept' && `${row.what} ${row.id} ${row.change}`)).toEqual(
      [
        ...['todo 1 add', 'todo 1 update', 'todo 1 remove', 'memory 1 added'],
        ...['setting quiet update', 'setting quiet remove'],
      ],
    )
  })

  it('keeps contents as a hash under the key of their thread, which goes with it (C712, C894)', async () => {
    const { conversationId: thread, run } = await openRun(parts.store)
    const other = await openThread(parts.store, { thread: 't2', keys: ['x'] })
    const row = (step: number, of: string | null) => ({
      entry: outcomeOf({ step, thread: of }),
      contents: 'Ben earns 5,000',
    })
    await commitOnce(parts.store, itemOf('run', run.id), {
      audit: [row(1, thread), row(2, thread), row(3, other), row(4, null)],
    })
    const hashes = (await read()).map((one) => one?.contents)
    expect(hashes[0]).toMatch(/^[0-9a-f]{40}$/)
    expect(hashes[1]).toBe(hashes[0])
    expect(new Set(hashes).size).toBe(3)
    for (const kind of ['sha1', 'sha256'])
      expect(hashes).not.toContain(createHash(kind).update('Ben earns 5,000').digest('hex'))
    const ended = { status: 'succeeded' as const, endedAt: at }
    await commitOnce(parts.store, itemOf('run', run.id), { runs: [{ id: run.id, patch: ended }] })
    expect((await parts.store.audit.ofThread(workspace, thread, 9)).length).toBe(3)
    const effect = { id: 'e1', by: ana.id, thread }
    expect(await parts.store.conversations.remove(workspace, thread, effect)).toBe('removed')
    expect(await parts.store.conversations.remove(workspace, thread, effect)).toBe('unknown')
    expect(await parts.store.audit.ofThread(workspace, thread, 9)).toEqual([])
    // Its rows stay, so that the chain does; nobody can tell any more what they were about.
    expect((await read()).map((one) => one?.contents)).toEqual([...hashes, ''])
    expect((await read()).at(-1)).toMatchObject({ what: 'thread', id: thread, change: 'remove' })
    expect(verifyChain((await rows()).join('\n')).fault).toBeNull()
  })

  it('forgets the key of a thread when a person who wrote there is erased (C712)', async () => {
    const { conversationId: thread, run } = await openRun(parts.store)
    const audit = [{ entry: outcomeOf({ step: 1, thread }), contents: 'sent' }]
    await commitOnce(parts.store, itemOf('run', run.id), { audit })
    await parts.store.privacy.erase(workspace, ana.id)
    await commitOnce(parts.store, itemOf('conversation', thread), { audit })
    const [before, after] = (await read()).map((row) => row?.contents)
    expect(after).not.toBe(before)
    expect(verifyChain((await rows()).join('\n')).fault).toBeNull()
  })

  it('adds the row of what people do to all that is kept of somebody, once an effect (C893)', async () => {
    const { conversationId: thread } = await openRun(parts.store)
    const done = { workspace, what: 'person' as const, scope: 'user:u1', id: 'u2' }
    const by = (id: string) => ({ id, by: ana.id, thread })
    const append = (id: string, contents: string) =>
      parts.store.audit.append(by(id), { ...done, change: 'export' }, contents)
    for (const _ of [1, 2]) await append('e1', 'what is kept')
    await append('e2', 'what is kept')
    await append('e3', '')
    // Erasing whoever wrote in the thread takes the key of the hashes with it.
    await parts.store.privacy.erase(workspace, ana.id)
    await append('e4', 'what is kept')
    const all = await read()
    expect(all).toMatchObject(
      ['e1', 'e2', 'e3', 'e4'].map((effect) => ({ ...done, kind: 'kept', effect, by: ana.id })),
    )
    const [first, same, none, later] = all.map((row) => row?.contents)
    expect(first).toMatch(/^[0-9a-f]{40}$/)
    expect(same).toBe(first)
    expect(none).toBe('')
    expect(later).not.toBe(first)
    expect(verifyChain((await rows()).join('\n')).fault).toBeNull()
  })

  it('finds the newest rows of one thread and its runs, those from before it had one included (C716)', async () => {
    const { conversationId: thread, run } = await openRun(parts.store)
    await commitOnce(parts.store, itemOf('run', run.id), {
      audit: [null, thread, 'c_other', thread].map((of, n) => ({
        entry: { ...outcomeOf({ step: n, thread: of }), run: run.id },
      })),
    })
    const steps = async (limit: number) =>
      (await parts.store.audit.ofThread(workspace, thread, limit))
        .map(readRow)
        .map((row) => row?.kind === 'outcome' && row.step)
    expect(await steps(9)).toEqual([0, 1, 3])
    expect(await steps(2)).toEqual([1, 3])
  })

  it('removes old rows and says so in the chain (C714)', async () => {
    const thread = await openThread(parts.store)
    for (const step of [1, 2, 3]) {
      const audit = [{ entry: outcomeOf({ step }) }]
      await commitOnce(parts.store, itemOf('conversation', thread), { at: at + step, audit })
    }
    expect(await parts.store.audit.trim(workspace, at + 1)).toBe(0)
    expect(await parts.store.audit.trim(workspace, at + 3)).toBe(2)
    expect(await parts.store.audit.trim(workspace, at + 3)).toBe(0)
    expect(await read()).toMatchObject([
      { seq: 3, step: 3 },
      { seq: 4, kind: 'trimmed', to: 2 },
    ])
    const head = await parts.store.audit.head(workspace)
    const known = new Map(head === null ? [] : [[workspace, head]])
    expect(verifyChain((await rows()).join('\n'), known).fault).toBeNull()
  })
}
