import { describe, expect, it } from 'vitest'
import type { Effect, Tool } from '../../../src/agent/ports/tool.ts'
import { type Asking, createToolbox } from '../../../src/agent/tools/registry.ts'

const tool = (name: string, effect: Effect): Tool => ({
  name,
  effect,
  description: `about ${name}`,
  run: async () => ({ ok: true, text: name }),
})
const tools = [tool('todo', 'keyed'), tool('internet_search', 'none'), tool('post', 'unkeyed')]

const person = { source: 'interactive' } as const
const nobody = { source: 'unattended' } as const

describe('the toolbox', () => {
  it('shows a person’s work every tool, in order (C40)', () => {
    expect(createToolbox(tools).cards(person)).toEqual([
      { name: 'todo', description: 'about todo' },
      { name: 'internet_search', description: 'about internet_search' },
      { name: 'post', description: 'about post' },
    ])
  })

  it('asks before a team’s tool takes effect, unless the tool says that it need not (S51)', () => {
    const theirs = (name: string, more: Partial<Tool> = {}): Tool => ({
      ...tool(name, 'unkeyed'),
      isTheirs: true,
      ...more,
    })
    const box = createToolbox([
      theirs('mail'),
      theirs('free', { approval: 'never' }),
      theirs('once', { approval: 'first' }),
      theirs('look', { effect: 'none' }),
      tool('post', 'unkeyed'),
    ])
    const approvals = ['mail', 'free', 'once', 'look', 'post'].map(
      (name) => box.get(name, person)?.approval,
    )
    expect(approvals).toEqual(['always', 'never', 'first', undefined, undefined])
    expect(box.get('mail', { ...nobody, allow: ['mail'] })?.approval).toBeUndefined()
  })

  it('keeps tools with side effects from unattended work (S4)', () => {
    const box = createToolbox(tools)
    expect(box.cards(nobody).map(({ name }) => name)).toEqual(['internet_search'])
    expect(box.get('todo', nobody)).toBeNull()
    expect(box.get('internet_search', nobody)).toBe(tools[1])
  })

  it('lets unattended work have what is named for it (S4)', () => {
    const box = createToolbox(tools)
    const allowed = { ...nobody, allow: ['todo'] }
    expect(box.cards(allowed).map(({ name }) => name)).toEqual(['todo', 'internet_search'])
    expect(box.get('todo', allowed)).toBe(tools[0])
    expect(box.get('post', allowed)).toBeNull()
  })

  it('lets a schedule’s mode say what becomes of the others: nothing, after a yes, or anything (F24, S4)', () => {
    const box = createToolbox([
      ...tools,
      { ...tool('mail', 'unkeyed'), approval: 'first' },
      { ...tool('timers', 'keyed'), allowable: false },
      { ...tool('secret', 'unkeyed'), sources: { interactive: false, unattended: false } },
    ])
    const names = (asking: Asking) => box.cards(asking).map(({ name }) => name)
    expect(names({ ...nobody, mode: 'safe' })).toEqual(['internet_search'])
    for (const mode of ['ask', 'auto'] as const)
      expect(names({ ...nobody, mode })).toEqual(['todo', 'internet_search', 'post', 'mail'])
    const approvalOf = (name: string, asking: Asking) => box.get(name, asking)?.approval
    expect(approvalOf('post', { ...nobody, mode: 'ask' })).toBe('always')
    expect(approvalOf('mail', { ...nobody, mode: 'ask' })).toBe('first')
    expect(approvalOf('internet_search', { ...nobody, mode: 'ask' })).toBeUndefined()
    expect(approvalOf('post', { ...nobody, mode: 'ask', allow: ['post'] })).toBeUndefined()
    expect(approvalOf('post', { ...nobody, mode: 'auto' })).toBeUndefined()
    expect(approvalOf('post', { ...person, mode: 'ask' })).toBeUndefined()
  })

  it('shows unattended work the half of a tool that only looks, under the same name (S4, F13)', () => {
    const looking = { ...tool('todo', 'none'), description: 'looks' }
    const box = createToolbox([{ ...tool('todo', 'keyed'), readOnly: looking }])
    expect(box.cards(nobody)).toEqual([{ name: 'todo', description: 'looks' }])
    expect(box.get('todo', nobody)).toBe(looking)
    expect(box.get('todo', person)).not.toBe(looking)
  })

  it('gives a tool by its exact name, or none (R30)', () => {
    const box = createToolbox(tools)
    expect(box.get('post', person)).toBe(tools[2])
    for (const name of ['Todo', 'nope', '', 'constructor', '__proto__'])
      expect(box.get(name, person)).toBeNull()
  })

  it.each(['plan_tool_call', 'think', 'ask_user', 'recall'])(
    'has no place for %s (C40)',
    (name) => {
      expect(() => createToolbox([tool(name, 'none')])).toThrow(name)
    },
  )

  it('has no place for two tools of one name', () => {
    expect(() => createToolbox([...tools, tool('todo', 'none')])).toThrow('todo')
  })

  it('has tools that come and go; a name that is taken or reserved is passed over (C40)', () => {
    let more = [tool('files__read', 'none')]
    const box = createToolbox(tools, () => more)
    expect(box.cards(nobody).map(({ name }) => name)).toEqual(['internet_search', 'files__read'])
    more = [tool('todo', 'none'), tool('ask_user', 'none'), tool('files__write', 'unkeyed')]
    expect(box.cards(person).map(({ name }) => name)).toEqual([
      'todo',
      'internet_search',
      'post',
      'files__write',
    ])
    expect(box.get('todo', person)).toBe(tools[0])
    expect(box.get('files__read', person)).toBeNull()
    expect(box.get('ask_user', person)).toBeNull()
  })

  it('keeps to what is said about a tool’s audience, whatever its effect (S4)', () => {
    const sources = { interactive: false, unattended: true }
    const box = createToolbox([{ ...tool('post', 'unkeyed'), sources }])
    expect(box.get('post', person)).toBeNull()
    expect(box.cards(nobody).map(({ name }) => name)).toEqual(['post'])
    const watched = createToolbox([
      { ...tool('post', 'unkeyed'), sources: { interactive: true, unattended: false } },
    ])
    expect(watched.get('post', nobody)).toBeNull()
    expect(watched.get('post', { ...nobody, allow: ['post'] })).not.toBeNull()
    expect(box.get('post', { ...person, allow: ['post'] })).toBeNull()
  })
})
