import type { Command, CommandContext, CommandResult } from '../../../src/agent/commands/command.ts'

/** A Wednesday, 10:00 in Shanghai. */
export const now = Date.UTC(2026, 2, 4, 2)

export function contextOf(changes: Partial<CommandContext> = {}): CommandContext {
  return {
    workspace: 'web:local',
    channel: 'general',
    conversationId: 'c_1',
    person: { id: 'ana', name: 'Ana' },
    whose: { way: 'typed', by: 'member' },
    locale: 'en',
    timeZone: 'Asia/Shanghai',
    now,
    effectId: 'x_1',
    ...changes,
  }
}

/** Says one line after the other to a command, each as an effect of its own; `say` answers what the thread would show. */
export function conversationWith(command: Command, changes: Partial<CommandContext> = {}) {
  let effects = 0
  const run = (args: string, more: Partial<CommandContext> = {}): Promise<CommandResult> => {
    effects += 1
    return command.run(args, contextOf({ effectId: `x_${effects}`, ...changes, ...more }))
  }
  return {
    run,
    say: async (args: string, more: Partial<CommandContext> = {}) => (await run(args, more)).text,
  }
}
