export type { Command, CommandContext, CommandResult } from '../agent/commands/command.ts'
export { type CommandDefinition, defineCommand } from '../agent/commands/define-command.ts'
