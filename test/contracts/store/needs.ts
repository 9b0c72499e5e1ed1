import { expect, it } from 'vitest'
import type { Change } from '../../../src/agent/ports/store.ts'
import { proposing } from '../memories.ts'
import type { Parts } from '../store.ts'
import { ana, at, commitOnce, eventOf, itemOf, openRun, questionOf, workspace } from './rows.ts'

const here = [{ workspace }]

export function describeNeeds(parts: Parts) {
  const names = async (queues: Parameters<typeof parts.store.needs.list>[0] = here) =>
    (await parts.store.needs.list(queues, null, 50)).needs.map(({ kind }) => kind)

  it('has a question from the commit that asks it to the one that closes it (C190)', async () => {
    const { conversationId, run } = await openRun(parts.store)
    const commit = (change: Partial<Change>) =>
      commitOnce(parts.store, itemOf('run', run.id), { conversationId, ...change })
    const question = questionOf(1)
    await commit({ ask: question, at: at + 5 })
    const { needs, total, next } = await parts.store.needs.list(here, null, 50)
    expect(needs).toMatchObject([
      { kind: 'question', workspace, at: at + 5, question, conversation: { id: conversationId } },
    ])
    expect({ total, next }).toEqual({ total: 1, next: null })
    await commit({ answered: { question, answer: 'Lisbon', author: ana, at: at + 6 } })
    expect(await names()).toEqual([])
    await commit({ ask: questionOf(2) })
    await commit({ dropQuestions: [questionOf(2)] })
    expect(await names()).toEqual([])
  })

  it('has what is paused until it goes on or ends, and what failed until it is seen or somebody goes on there (C190)', async () => {
    const { conversationId, run } = await openRun(parts.store)
    const become = (status: 'paused' | 'running' | 'failed', on = at) =>
      commitOnce(parts.store, itemOf('run', run.id), {
        ...{ conversationId, at: on },
        runs: [{ id: run.id, patch: { status } }],
      })
    await become('paused')
    expect(await names()).toEqual(['paused'])
    await become('running')
    expect(await names()).toEqual([])
    await become('failed', at + 9)
    expect((await parts.store.needs.list(here, null, 50)).needs).toMatchObject([
      { kind: 'failed', run: { id: run.id }, conversation: { id: conversationId } },
    ])
    await parts.store.conversations.markRead(workspace, conversationId, at + 10)
    expect(await names(), 'its thread was only opened').toEqual(['failed'])
    await parts.store.conversations.see(workspace, conversationId, at + 11)
    expect(await names()).toEqual([])
    await become('failed')
    await parts.store.inbox.accept(eventOf({ keys: ['later'] }), { locale: 'en', timeZone: 'UTC' })
    expect(await names(), 'somebody goes on there').toEqual([])
  })

  it('counts nothing that cannot be shown, because its row was erased or cannot be read (C190, C118)', async () => {
    const { conversationId, run } = await openRun(parts.store)
    await commitOnce(parts.store, itemOf('run', run.id), {
      conversationId,
      runs: [{ id: run.id, patch: { status: 'failed' } }],
    })
    await parts.store.privacy.erase(workspace, ana.id)
    expect(await parts.store.runs.state(workspace, run.id)).toBeNull()
    for (const _ of [1, 2])
      expect(await parts.store.needs.list(here, null, 50)).toEqual({
        needs: [],
        total: 0,
        next: null,
      })
  })

  it('has proposals until they are decided, and of one person only for that person (C190, S22)', async () => {
    const { memories } = parts.store
    for (const owner of ['workspace', 'user:ana'])
      await memories.change(
        workspace,
        owner,
        `x-${owner}`,
        proposing('We meet in Lisbon', at + 1_000),
      )
    expect(await names()).toEqual(['proposal'])
    expect(await names([...here, { workspace, owner: 'user:ana' }])).toEqual([
      'proposal',
      'proposal',
    ])
    expect(await names([...here, { workspace, owner: 'user:ben' }])).toEqual(['proposal'])
  })

  it('is read in pages over several workspaces, what waits longest first (C190)', async () => {
    const { memories } = parts.store
    for (const [n, home] of [workspace, 'slack:T1', workspace, 'slack:T1', workspace].entries()) {
      const change = proposing(`fact ${n}`, at + 1_000, {
        key: `k${n}`,
        at: at + Math.floor(n / 2),
      })
      await memories.change(home, 'workspace', `x${n}`, change)
    }
    const all = [...here, { workspace: 'slack:T1' }]
    const seen: string[] = []
    for (let after: { at: number; name: string } | null = null, pages = 0; pages < 9; pages++) {
      const { needs, next, total } = await parts.store.needs.list(all, after, 2)
      expect(total).toBe(5)
      seen.push(...needs.map((need) => (need.kind === 'proposal' ? need.proposal.text : '')))
      if (next === null) break
      after = next
    }
    expect(seen.map((text) => text.slice(5)).sort()).toEqual(['0', '1', '2', '3', '4'])
    expect(seen.slice(4)).toEqual(['fact 4'])
  })
}
