import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  accept,
  add,
  expire,
  type Memory,
  move,
  propose,
  type Wish,
} from '../../src/agent/domain/memory.ts'
import type { Memories, Store } from '../../src/agent/ports/store.ts'
import { memberMay } from '../support/may.ts'

const workspace = 'web:local'
const owner = 'channel:general'
const may = memberMay('remember')
const ana = { id: 'ana', name: 'Ana' }
const at = Date.UTC(2026, 2, 4, 2)

const wishOf = (text: string, over: Partial<Wish> = {}): Wish => ({
  scope: 'channel',
  key: 'city',
  text,
  policy: 'overwrite_latest',
  source: { kind: 'message', conversationId: 'c_1', messageId: 'm_1' },
  by: ana,
  at,
  ...over,
})
const changeOf = (step: ReturnType<typeof add>) => (step.ok ? step.change : null)
export const adding =
  (text: string, over: Partial<Wish> = {}) =>
  (memory: Memory) =>
    changeOf(add(memory, wishOf(text, over), may))
export const proposing =
  (text: string, until: number, over: Partial<Wish> = {}) =>
  (memory: Memory) =>
    changeOf(propose(memory, wishOf(text, { by: null, ...over }), until))

/** What every `Memories` promises. */
export function describeMemories(
  name: string,
  create: () => Promise<{ store: Store; close(): Promise<void> }>,
) {
  describe(`what is remembered: ${name}`, () => {
    let memories: Memories
    let store: Store
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ store, close } = await create())
      memories = store.memories
    })
    afterEach(() => close())
    const read = async (of = owner, home = workspace) => (await memories.read(home, [of]))[0]

    it('starts with nothing, for everyone who is asked for', async () => {
      const none = { last: 0, facts: [], proposals: [] }
      expect(await memories.read(workspace, [owner, 'user:ana'])).toEqual([none, none])
      expect(await memories.history(workspace, owner, 10)).toEqual([])
      expect(await memories.owners(workspace)).toEqual([])
    })

    it('keeps a change and its one event, and gives both back as they were (F30)', async () => {
      const text = 'Fähre "buchen" \\ 買票 🎟 — {"id":0} %1'
      const change = await memories.change(workspace, owner, 'x1', proposing(text, at + 5))
      expect(change?.proposal).toMatchObject({ id: 1, text, status: 'pending' })
      expect(await read()).toEqual({ last: 1, facts: [], proposals: [change?.proposal] })
      expect(await memories.history(workspace, owner, 10)).toEqual([change?.event])
      await memories.change(workspace, owner, 'x2', (memory) =>
        changeOf(accept(memory, 1, { by: ana, at: at + 1 }, may)),
      )
      expect(await read()).toMatchObject({
        last: 1,
        facts: [{ id: 1, text }],
        proposals: [{ status: 'accepted' }],
      })
      expect((await memories.history(workspace, owner, 10)).map(({ what }) => what)).toEqual([
        'accepted',
        'proposed',
      ])
      expect(await memories.history(workspace, owner, 1)).toHaveLength(1)
    })

    it('keeps owners and workspaces apart (S5)', async () => {
      await memories.change(workspace, owner, 'x1', adding('here'))
      await memories.change(workspace, 'user:general', 'x2', adding('mine', { scope: 'me' }))
      await memories.change('web:other', owner, 'x3', adding('far away'))
      expect((await read())?.facts.map(({ text }) => text)).toEqual(['here'])
      expect((await read('user:general'))?.facts).toMatchObject([{ id: 1, text: 'mine' }])
      expect((await read(owner, 'web:other'))?.facts).toMatchObject([{ id: 1, text: 'far away' }])
      expect((await memories.owners(workspace)).sort()).toEqual([owner, 'user:general'])
    })

    it('does each effect once and answers the same again, even after others (P1, P8)', async () => {
      const first = await memories.change(workspace, owner, 'x1', adding('one', { key: null }))
      await memories.change(workspace, owner, 'x2', adding('two', { key: null }))
      expect(await memories.change(workspace, owner, 'x1', adding('three', { key: null }))).toEqual(
        first,
      )
      expect((await read())?.facts).toHaveLength(2)
      expect(await memories.history(workspace, owner, 10)).toHaveLength(2)
    })

    it('changes nothing where nothing is to be changed, and remembers no effect of that', async () => {
      expect(await memories.change(workspace, owner, 'x1', () => null)).toBeNull()
      expect(await memories.change(workspace, owner, 'x1', adding('one'))).not.toBeNull()
    })

    it('loses none of many changes at the same time, and decides a proposal once (F30)', async () => {
      await memories.change(workspace, owner, 'p', proposing('Lisbon', at + 9, { key: null }))
      const people = Array.from({ length: 8 }, (_, n) => ({ id: `p${n}`, name: `P${n}` }))
      const [decided] = await Promise.all([
        Promise.all(
          people.map((by) =>
            memories.change(workspace, owner, `a${by.id}`, (memory) =>
              changeOf(accept(memory, 1, { by, at }, may)),
            ),
          ),
        ),
        Promise.all(
          people.map(({ id }) =>
            memories.change(workspace, owner, `b${id}`, adding(id, { key: null })),
          ),
        ),
      ])
      expect(decided.filter((one) => one !== null)).toHaveLength(1)
      const memory = await read()
      expect(memory?.facts).toHaveLength(9)
      expect(new Set(memory?.facts.map(({ id }) => id)).size).toBe(9)
      expect(await memories.history(workspace, owner, 100)).toHaveLength(10)
    })

    it('finds the proposals whose time is over, and only those (F30)', async () => {
      await memories.change(workspace, owner, 'x1', proposing('soon', at + 5, { key: 'a' }))
      await memories.change(workspace, owner, 'x2', proposing('later', at + 9, { key: 'b' }))
      await memories.change(workspace, 'workspace', 'x3', adding('fact'))
      expect(await memories.overdue(at + 4, 10)).toEqual([])
      expect(await memories.overdue(at + 5, 10)).toEqual([{ workspace, owner, ids: [1] }])
      expect(await memories.overdue(at + 9, 10)).toEqual([{ workspace, owner, ids: [1, 2] }])
      await memories.change(workspace, owner, 'x4', (memory) => changeOf(expire(memory, 1, at + 6)))
      expect(await memories.overdue(at + 6, 10)).toEqual([])
    })

    it('lets go of what was refused, expired or taken back before a time, with what was said of it', async () => {
      await memories.change(workspace, owner, 'x1', adding('stays', { key: 'a' }))
      await memories.change(workspace, owner, 'x2', adding('goes', { key: 'b' }))
      await memories.change(workspace, owner, 'x3', (memory) =>
        changeOf(move(memory, 2, 'revoked', { by: ana, at: at + 10 })),
      )
      expect(await store.retention.purge(at + 10)).toBe(0)
      await memories.change(workspace, owner, 'x4', adding('new', { key: 'c', at: at + 20 }))
      expect(await store.retention.purge(at + 11)).toBe(1)
      expect((await read())?.facts.map(({ text }) => text)).toEqual(['stays', 'new'])
      expect((await memories.history(workspace, owner, 10)).map(({ at: when }) => when)).toEqual([
        at + 20,
      ])
      // Numbers are not used twice.
      expect(
        (await memories.change(workspace, owner, 'x5', adding('next', { key: 'd' })))?.fact?.id,
      ).toBe(4)
    })
  })
}
