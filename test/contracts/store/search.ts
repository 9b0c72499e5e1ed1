import { expect, it } from 'vitest'
import { personMessage } from '../../../src/agent/domain/message.ts'
import { termsIn } from '../../../src/agent/domain/search-words.ts'
import type { Search } from '../../../src/agent/ports/search.ts'
import type { Parts } from '../store.ts'
import {
  ana,
  at,
  changeOf,
  claim,
  commitOnce,
  conversationOf,
  deliveryOf,
  eventOf,
  itemOf,
  lineOf,
  opening,
  openRun,
  openThread,
  questionOf,
  workspace,
} from './rows.ts'

const anything: Search = {
  said: [],
  people: [],
  places: [],
  group: null,
  only: null,
  from: null,
  until: null,
}
const saying = (text: string) => ({
  kind: 'message' as const,
  text,
  addressed: true,
  forSomeoneElse: false,
})
const ben = { id: 'u2', name: 'Ben Adler', bot: false }
const day = 24 * 3_600_000

export function describeSearch(parts: Parts) {
  const thread = (n: number, text: string, patch: Parameters<typeof eventOf>[0] = {}) =>
    openThread(parts.store, {
      thread: `t${n}`,
      keys: [`m${n}`],
      at: at + n,
      content: saying(text),
      ...patch,
    })
  const find = async (search: Partial<Search>, homes: readonly string[] = [workspace]) => {
    const { found } = await parts.store.search.find(homes, { ...anything, ...search }, null, 50)
    return found.map(({ line }) => line.conversation.id)
  }
  const said = (text: string, homes?: readonly string[]) => find({ said: termsIn(text) }, homes)

  it('finds what people and Clew said from the write that stores it, newest first, in every script (C200)', async () => {
    const { store } = parts
    const first = await thread(1, 'Plan the offsite in São Paulo')
    const second = await thread(2, '在会议室开会')
    await commitOnce(store, itemOf('conversation', second), {
      ...{ conversationId: second, at: at + 2 },
      messages: [{ ...lineOf(1), text: 'The **planning** is done' }],
    })
    expect(await said('plan')).toEqual([second, first])
    expect(await said('PLAN sao')).toEqual([first])
    expect(await said('会议室')).toEqual([second])
    expect(await said('plan 会')).toEqual([second])
    expect(await said('pla')).toEqual([second, first])
    expect(await said('offsites'), 'no beginning of it').toEqual([])
    expect(await said('plan', ['web:other'])).toEqual([])
    const opened = conversationOf({ title: 'Weekly report' })
    await store.conversations.open(opened)
    expect(await said('weekly')).toEqual([opened.id])
  })

  it('says which message was found: of those that have most of it the newest (C202)', async () => {
    const id = await thread(1, 'The budget of Lisbon')
    const lines = ['Lisbon is nice', 'budget budget', 'nothing'].map((text, n) => ({
      ...lineOf(n),
      text,
    }))
    await commitOnce(parts.store, itemOf('conversation', id), {
      conversationId: id,
      messages: lines,
    })
    const messageOf = async (query: string) => {
      const { found } = await parts.store.search.find(
        [workspace],
        { ...anything, said: termsIn(query) },
        null,
        1,
      )
      return found.map(({ message }) => message?.text)
    }
    expect(await messageOf('budget lisbon')).toEqual(['The budget of Lisbon'])
    expect(await messageOf('lisbon')).toEqual(['Lisbon is nice'])
  })

  it('finds by who spoke, where, and when something last happened (C201)', async () => {
    const hers = await thread(1, 'one', { channel: 'general' })
    const his = await thread(2, 'two', { channel: 'sales', author: ben, at: at + day })
    const there = await thread(3, 'one', { workspace: 'slack:T1', channel: 'C7' })
    const all = [workspace, 'slack:T1']
    expect(await find({ people: termsIn('ana') }, all)).toEqual([there, hers])
    expect(await find({ people: termsIn('Ben Adler') })).toEqual([his])
    expect(await find({ people: termsIn('u2') })).toEqual([his])
    expect(await said('ana'), 'she is no word').toEqual([])
    expect(await find({ places: termsIn('slack') }, all)).toEqual([there])
    expect(await find({ places: termsIn('sales') }, all)).toEqual([his])
    expect(await find({ from: at + day }, all)).toEqual([his])
    expect(await find({ until: at + day }, all)).toEqual([there, hers])
    expect(await find({ until: at + day, said: termsIn('two') }, all)).toEqual([])
  })

  it('finds what needs somebody, what is worked on and the rest (C201)', async () => {
    const { store } = parts
    const done = await thread(5, 'plan done')
    const { conversationId: working, run } = await openRun(store)
    const asked = await thread(6, 'plan asked')
    await commitOnce(store, itemOf('conversation', working), {
      conversation: { id: working, patch: { foreground: run.id } },
    })
    const lease = await claim(store, itemOf('run', run.id))
    const running = { id: run.id, patch: { status: 'running' as const } }
    await store.commits.commit(lease, changeOf({ conversationId: working, runs: [running] }))
    await commitOnce(store, itemOf('conversation', asked), {
      conversationId: asked,
      ask: questionOf(1),
    })
    for (const [group, id] of [
      ['working', working],
      ['needs_you', asked],
      ['done', done],
    ] as const) {
      expect(await find({ group }), group).toEqual([id])
      expect(await find({ group, said: termsIn('plan') }), group).toEqual([id])
    }
    const failed = { id: run.id, patch: { status: 'failed' as const, endedAt: at } }
    const said = { conversationId: working, at: at + 20, messages: [lineOf(1)], runs: [failed] }
    await store.commits.commit(lease, changeOf(said))
    expect(await find({ group: 'working' })).toEqual([])
    expect(await find({ group: 'needs_you' }), 'until it is seen').toEqual([working, asked])
    await store.conversations.markRead(workspace, working, at + 30)
    expect(await find({ group: 'done' })).toEqual([working, done])
  })

  it('is read in pages over several workspaces without a gap or a double (C200)', async () => {
    const homes = [workspace, 'slack:T1']
    const all: string[] = []
    for (let n = 0; n < 11; n++)
      all.unshift(
        await thread(n, `plan ${n}`, { workspace: homes[n % 2] ?? '', at: at + Math.floor(n / 4) }),
      )
    for (const search of [{ said: termsIn('plan') }, {}]) {
      const seen: string[] = []
      let before: { at: number; id: string } | null = null
      for (let pages = 0; pages < 9; pages++) {
        const page = await parts.store.search.find(homes, { ...anything, ...search }, before, 3)
        seen.push(...page.found.map(({ line }) => line.conversation.id))
        before = page.next
        if (before === null) break
      }
      expect(seen.toSorted()).toEqual(all.toSorted())
    }
  })

  it('finds nothing any more of what was deleted, erased, is kept no longer or was taken out of a thread (S24)', async () => {
    const { store } = parts
    const old = await thread(1, 'secret of old', { at: at - day })
    await store.retention.purge(at)
    expect(await store.conversations.state(workspace, old, 1)).toBeNull()
    const gone = await thread(2, 'secret plan')
    expect(await store.conversations.remove(workspace, gone)).toBe('removed')
    const shared = await thread(3, 'secret garden of Ana')
    const his = { thread: 't3', keys: ['ben'], author: ben, content: saying('garden party') }
    await store.inbox.accept(eventOf(his), opening)
    await commitOnce(store, itemOf('conversation', shared), { consume: 1 })
    await store.privacy.erase(workspace, ana.id)
    await thread(4, 'hello', { author: ben })
    const heard = eventOf({ thread: 't4', keys: ['aside'], content: saying('secret aside'), at })
    const { conversationId, entry } = await store.inbox.accept(heard, opening)
    const unsaid = [personMessage(entry.id, ana, 'secret aside', at)]
    await commitOnce(store, itemOf('conversation', conversationId), {
      consume: 1,
      conversationId,
      unsaid,
    })
    expect(await said('secret')).toEqual([])
    expect(await find({ people: termsIn('ana') })).toEqual([])
    expect(await said('garden')).toEqual([shared])
    expect(await find({ people: termsIn('ben') })).toEqual([conversationId, shared])
  })

  it('finds a reply that came before its thread was bound where it moved to (C200)', async () => {
    const { store } = parts
    const opened = conversationOf({})
    await store.conversations.open(opened)
    const change = { conversationId: opened.id, deliveries: [deliveryOf(1, opened.id)] }
    await commitOnce(store, itemOf('conversation', opened.id), change)
    const { conversationId: quick } = await store.inbox.accept(
      eventOf({ content: saying('quick reply') }),
      opening,
    )
    expect(await said('quick')).toEqual([quick])
    const lease = await store.leases.claim(itemOf('outbox', opened.id), 1_000)
    if (lease !== null) await store.outbox.sent(lease, 'd_1', 't1')
    expect(await said('quick')).toEqual([opened.id])
    expect(await said('report')).toEqual([opened.id])
  })

  it('is renamed, pinned and put away until something happens there, and found by its new name alone (C203, C204)', async () => {
    const { conversations, inbox } = parts.store
    const [one, two, three] = [
      await thread(1, 'one'),
      await thread(2, 'two'),
      await thread(3, 'three'),
    ]
    const arrange = (id: string, change: Parameters<typeof conversations.arrange>[2]) =>
      conversations.arrange(workspace, id, change, at + 50)
    const list = async () =>
      (await conversations.page([workspace], null, 2)).lines.map((state) => state.conversation.id)
    expect(await arrange(one, { title: 'Garden' })).toBe(true)
    expect(await arrange(one, { title: 'Roof' })).toBe(true)
    expect([await said('garden'), await said('roof'), await said('one')]).toEqual([
      [],
      [one],
      [one],
    ])
    await arrange(one, { pinned: true })
    expect(await list(), 'beside the limit').toEqual([one, three, two])
    expect(await find({ only: 'pinned' })).toEqual([one])
    await arrange(one, { pinned: false })
    await arrange(three, { pinned: true })
    await arrange(three, { archived: true })
    expect(await list()).toEqual([two, one])
    expect([
      await find({ only: 'archived' }),
      await find({ only: 'pinned' }),
      await said('three'),
    ]).toEqual([[three], [], [three]])
    await inbox.accept(eventOf({ thread: 't3', keys: ['again'], at: at + 60 }), opening)
    expect(await list()).toEqual([three, two])
    expect(await find({ only: 'archived' })).toEqual([])
    expect(await arrange('c_none', { pinned: true })).toBe(false)
  })

  it('shows people what they pinned, however much is pinned where they do not see it (C204, S26)', async () => {
    const { conversations } = parts.store
    const own = await thread(0, 'mine', { channel: 'ana' })
    await conversations.arrange(workspace, own, { pinned: true }, at)
    await Promise.all(
      Array.from({ length: 101 }, async (_, n) => {
        const id = await thread(n + 1, 'theirs', { channel: 'ben' })
        await conversations.arrange(workspace, id, { pinned: true }, at + n + 1)
      }),
    )
    const { lines, next } = await conversations.page(
      [workspace],
      null,
      2,
      ({ channel }) => channel === 'ana',
    )
    expect([lines.map((state) => state.conversation.id), next]).toEqual([[own], null])
  })

  it('keeps 20 pages beside 20 files, and a newer text of each (C791, C885)', async () => {
    const { store } = parts
    const { conversationId: id } = await openRun(store)
    const keep = (name: string, text = 'x') =>
      store.artifacts.keep(workspace, id, { version: 1, name, text, sections: [], by: 'u1', at })
    for (let n = 0; n < 20; n += 1) {
      expect(await keep(`${n}.pdf`)).toBe(true)
      expect(await keep(`https://example.org/${n}`)).toBe(true)
    }
    expect(await keep('20.pdf')).toBe(false)
    expect(await keep('https://example.org/20')).toBe(false)
    expect(await keep('0.pdf', 'newer')).toBe(true)
    expect((await store.artifacts.kept(workspace, id, '0.pdf'))?.text).toBe('newer')
  })

  it('is deleted with all that belongs to it, says how much, and not while something goes on there (C205)', async () => {
    const { store } = parts
    const { conversationId: id, run } = await openRun(store)
    await store.artifacts.save(workspace, id, { version: 1, name: 'a.md', text: 'x', at })
    const document = { version: 1 as const, name: 'a.pdf', text: 'x', sections: [], by: 'u1', at }
    await store.artifacts.keep(workspace, id, document)
    expect(await store.conversations.contents(workspace, id)).toEqual({
      messages: 1,
      runs: 1,
      files: 1,
      facts: 0,
    })
    expect(await store.conversations.remove(workspace, id)).toBe('busy')
    const patch = { status: 'failed' as const, endedAt: at }
    await commitOnce(store, itemOf('run', run.id), {
      conversationId: id,
      runs: [{ id: run.id, patch }],
    })
    await store.conversations.arrange(workspace, id, { pinned: true }, at)
    expect(await store.conversations.remove(workspace, id)).toBe('removed')
    expect(await store.conversations.remove(workspace, id)).toBe('unknown')
    expect(await store.conversations.contents(workspace, id)).toBeNull()
    expect(await store.runs.state(workspace, run.id)).toBeNull()
    expect(await store.artifacts.saved(workspace, id)).toEqual([])
    expect(await store.artifacts.keptNames(workspace, id), 'C791').toEqual([])
    expect((await store.conversations.page([workspace], null, 5)).lines).toEqual([])
    expect((await store.needs.list([{ workspace }], null, 5)).total).toBe(0)
  })
}
