import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from '../../src/agent/ports/tool.ts'

/** One effect on the world outside, as the world remembers it. */
export interface Effect {
  tool: string
  effectId: string
  input: string
}

/**
 * Two tools with effects on a file, which stands for the world outside: `ledger` is keyed, so the same effect again changes
 * nothing; `booking` is not, and every call of it happens once more.
 */
export function createEffectTools(folder: string): Tool[] {
  const file = effectsFile(folder)
  const write = (effect: Effect) => appendFileSync(file, `${JSON.stringify(effect)}\n`)
  return [
    {
      name: 'ledger',
      effect: 'keyed',
      description: 'Writes a line into the ledger.',
      async run(input, { effectId }) {
        if (!effectsIn(folder).some((one) => one.effectId === effectId))
          write({ tool: 'ledger', effectId, input })
        return { ok: true, text: `Noted: ${input}` }
      },
    },
    {
      name: 'booking',
      effect: 'unkeyed',
      description: 'Books a venue.',
      async run(input, { effectId }) {
        write({ tool: 'booking', effectId, input })
        return { ok: true, text: `Booked: ${input}` }
      },
    },
  ]
}

export function effectsIn(folder: string): Effect[] {
  const file = effectsFile(folder)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Effect)
}

const effectsFile = (folder: string) => join(folder, 'effects.jsonl')
