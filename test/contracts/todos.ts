import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Todos } from '../../src/agent/ports/store.ts'

const workspace = 'web:local'
const scope = 'channel:general'
const at = Date.UTC(2026, 2, 4, 2)
const row = {
  text: 'Call Ana',
  tag: 'default',
  priority: 0,
  dueAt: null,
  remindAt: null,
  doneAt: null,
  createdAt: at,
}

/** What every `Todos` promises; runs on the fake and on the real store. */
export function describeTodos(
  name: string,
  create: () => Promise<{ todos: Todos; close(): Promise<void> }>,
) {
  describe(`to-dos: ${name}`, () => {
    let todos: Todos
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ todos, close } = await create())
    })
    afterEach(() => close())
    const byId = async (place = scope, home = workspace) =>
      (await todos.list(home, place)).sort((a, b) => a.id - b.id)

    it('starts empty', async () => {
      expect(await todos.list(workspace, scope)).toEqual([])
    })

    it('counts ids from 1 in every scope and every workspace (C45)', async () => {
      expect(await todos.add(workspace, scope, 'e1', row)).toEqual({ version: 1, id: 1, ...row })
      expect((await todos.add(workspace, scope, 'e2', row)).id).toBe(2)
      expect((await todos.add(workspace, 'channel:other', 'e3', row)).id).toBe(1)
      expect((await todos.add('web:other', scope, 'e4', row)).id).toBe(1)
    })

    it('keeps scopes and workspaces apart (S5)', async () => {
      await todos.add(workspace, scope, 'e1', row)
      await todos.add(workspace, 'channel:other', 'e2', { ...row, text: 'elsewhere' })
      await todos.add('web:other', scope, 'e3', { ...row, text: 'far away' })
      expect(await todos.update(workspace, 'user:general', 'e4', 1, { text: 'changed' })).toBeNull()
      expect(await todos.remove('web:third', scope, 'e5', 1)).toBeNull()
      expect((await byId()).map((todo) => todo.text)).toEqual(['Call Ana'])
      expect((await byId('channel:other')).map((todo) => todo.text)).toEqual(['elsewhere'])
      expect((await byId(scope, 'web:other')).map((todo) => todo.text)).toEqual(['far away'])
    })

    it('gives every field back as it was', async () => {
      const full = {
        text: 'Fähre "buchen" \\ 買票 🎟 — {"id":0} %1 {}',
        tag: 'größe-大',
        priority: 999_999,
        dueAt: 253_402_300_799_000,
        remindAt: 1,
        doneAt: at + 0.5,
        createdAt: 0,
      }
      const added = await todos.add(workspace, scope, 'e1', full)
      expect(added).toEqual({ version: 1, id: 1, ...full })
      expect(await todos.list(workspace, scope)).toEqual([added])
    })

    it('changes only what the patch names', async () => {
      await todos.add(workspace, scope, 'e1', { ...row, dueAt: at, remindAt: at })
      const changed = await todos.update(workspace, scope, 'e2', 1, { priority: 3, remindAt: null })
      expect(changed).toEqual({ version: 1, id: 1, ...row, dueAt: at, priority: 3 })
      expect(await todos.list(workspace, scope)).toEqual([changed])
      expect(await todos.update(workspace, scope, 'e3', 1, {})).toEqual(changed)
    })

    it('keeps both of two changes made at once', async () => {
      await todos.add(workspace, scope, 'e1', row)
      await Promise.all([
        todos.update(workspace, scope, 'e2', 1, { priority: 3 }),
        todos.update(workspace, scope, 'e3', 1, { tag: 'work' }),
      ])
      expect(await todos.list(workspace, scope)).toEqual([
        { version: 1, id: 1, ...row, priority: 3, tag: 'work' },
      ])
    })

    it('says what it removed, and never gives its id again', async () => {
      await todos.add(workspace, scope, 'e1', row)
      expect(await todos.remove(workspace, scope, 'e2', 1)).toEqual({ version: 1, id: 1, ...row })
      expect(await todos.list(workspace, scope)).toEqual([])
      expect(await todos.remove(workspace, scope, 'e3', 1)).toBeNull()
      expect(await todos.update(workspace, scope, 'e4', 1, { text: 'x' })).toBeNull()
      expect((await todos.add(workspace, scope, 'e5', row)).id).toBe(2)
    })

    it('adds once for one effect (P1)', async () => {
      const first = await todos.add(workspace, scope, 'e1', row)
      expect(
        await todos.add(workspace, scope, 'e1', { ...row, text: 'again', createdAt: at + 1 }),
      ).toEqual(first)
      expect(await todos.list(workspace, scope)).toEqual([first])
    })

    it('adds once when one effect arrives twice at the same time (P1)', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => todos.add(workspace, scope, 'e1', row)))
      expect(new Set(answers.map((todo) => todo.id))).toEqual(new Set([1]))
      expect(await todos.list(workspace, scope)).toHaveLength(1)
    })

    it('gives ids of their own to additions made at once', async () => {
      const effects = Array.from({ length: 20 }, (_, index) => `e${index}`)
      const added = await Promise.all(
        effects.map((effect) => todos.add(workspace, scope, effect, row)),
      )
      expect(added.map((todo) => todo.id).sort((a, b) => a - b)).toEqual(
        effects.map((_, index) => index + 1),
      )
      expect(await todos.list(workspace, scope)).toHaveLength(20)
    })

    it('changes once for one effect, whatever happened in between (P1)', async () => {
      await todos.add(workspace, scope, 'e1', row)
      const first = await todos.update(workspace, scope, 'e2', 1, { text: 'first' })
      const second = await todos.update(workspace, scope, 'e3', 1, { text: 'second' })
      expect(await todos.update(workspace, scope, 'e2', 1, { text: 'first' })).toEqual(first)
      expect(await todos.list(workspace, scope)).toEqual([second])
    })

    it('removes once for one effect, and says the same again (P1)', async () => {
      await todos.add(workspace, scope, 'e1', row)
      const removed = await todos.remove(workspace, scope, 'e2', 1)
      expect(await todos.remove(workspace, scope, 'e2', 1)).toEqual(removed)
      expect(await todos.list(workspace, scope)).toEqual([])
    })

    it('says again that something was not there, even if it is by now (P1)', async () => {
      expect(await todos.update(workspace, scope, 'e1', 1, { text: 'x' })).toBeNull()
      expect(await todos.remove(workspace, scope, 'e2', 1)).toBeNull()
      const added = await todos.add(workspace, scope, 'e3', row)
      expect(await todos.update(workspace, scope, 'e1', 1, { text: 'x' })).toBeNull()
      expect(await todos.remove(workspace, scope, 'e2', 1)).toBeNull()
      expect(await todos.list(workspace, scope)).toEqual([added])
    })
  })
}
