import { describe, expect, it } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { memoryTable } from '../../../src/agent/commands/memory-table.ts'
import type { Fact } from '../../../src/agent/domain/fact.ts'
import {
  applied,
  type Memory,
  type MemoryChange,
  propose,
} from '../../../src/agent/domain/memory.ts'
import type { Words } from '../../../src/agent/domain/words.ts'
import { contextOf } from './context.ts'

/** A thread's memory in which one fact is proposed, and `/memory` over it. */
function startMemory() {
  let held: Memory = { last: 0, facts: [], proposals: [] }
  const at = contextOf().now
  const wish = {
    scope: 'thread' as const,
    key: 'city',
    text: 'Lisbon',
    policy: 'keep_both' as const,
  }
  const step = propose(held, { ...wish, source: { kind: 'person' }, by: null, at }, at + 1_000)
  if (step.ok) held = applied(held, step.change)
  const memories = {
    async read() {
      return [held]
    },
    async history() {
      return []
    },
    async owners() {
      return []
    },
    async overdue() {
      return []
    },
    async change(
      _workspace: string,
      _owner: string,
      _effectId: string,
      make: (memory: Memory) => MemoryChange | null,
    ) {
      const change = make(held)
      if (change !== null) held = applied(held, change)
      return change
    },
  }
  const command = commandFrom(memoryTable, { memories, proposalMs: 1_000 })
  return {
    facts: (): readonly Fact[] => held.facts,
    run: (line: string, whose: Words) => command.run(line, contextOf({ whose })),
  }
}

describe('what is remembered (C284)', () => {
  const lines = ['add We meet in Porto', 'accept thread-1']

  it.each(lines)('is remembered by words that may: %s', async (line) => {
    for (const way of ['typed', 'edited', 'pressed', 'form'] as const) {
      const memory = startMemory()
      expect(await memory.run(line, { way, by: 'member' })).toMatchObject({ ok: true })
      expect(memory.facts()).toHaveLength(1)
    }
  })

  it.each(lines)('is not remembered by words that may not: %s', async (line) => {
    const ways = ['handed_over', 'quoted', 'read', 'model', 'schedule', 'program'] as const
    const others = ['guest', 'outsider', 'unknown', 'bot'] as const
    for (const whose of [
      ...ways.map((way): Words => ({ way, by: 'member' })),
      ...others.map((by): Words => ({ way: 'typed', by })),
    ]) {
      const memory = startMemory()
      expect(await memory.run(line, whose)).toMatchObject({ ok: false })
      expect(memory.facts()).toEqual([])
    }
  })
})
