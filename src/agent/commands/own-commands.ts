import type { QuietStore } from '../quiet-hours.ts'
import { type AboutDeps, aboutTable } from './about.ts'
import { type ApprovalDeps, approvalsTable } from './approvals.ts'
import { type AuditDeps, auditTable } from './audit.ts'
import type { Command } from './command.ts'
import { commandFrom } from './command-from-table.ts'
import type { CommandTable } from './grammar.ts'
import { helpTable } from './help.ts'
import type { MemoryDeps } from './memory.ts'
import { memoryTable } from './memory-table.ts'
import { type PrivacyDeps, privacyTable } from './privacy.ts'
import { quietTable } from './quiet.ts'
import type { ScheduleDeps } from './schedule.ts'
import { scheduleTable } from './schedule-table.ts'
import { type SignInsDeps, signInsTable } from './signins.ts'
import { strategyTable } from './strategy.ts'
import { taskTable } from './task.ts'
import type { TaskDeps } from './task-names.ts'
import type { TodoDeps } from './todo.ts'
import { todoTable } from './todo-table.ts'
import { viewTable } from './view.ts'

/** Dependencies of Clew's own commands. */
export interface OwnCommandDeps {
  todos: TodoDeps
  schedules: ScheduleDeps
  memory: MemoryDeps
  tasks: TaskDeps
  privacy: PrivacyDeps
  quiet: QuietStore
  about: AboutDeps
  approvals: ApprovalDeps
  signIns: SignInsDeps
  audit: AuditDeps
}

const own = <D>(table: CommandTable<D>, of: (deps: OwnCommandDeps) => D) => ({
  table: table as CommandTable,
  create: (deps: OwnCommandDeps): Command => commandFrom(table, of(deps)),
})

/** Every command of ours but `/help`, in its order. */
const ownCommands = [
  own(todoTable, ({ todos }) => todos),
  own(scheduleTable, ({ schedules }) => schedules),
  own(viewTable, ({ schedules, todos }) => ({ ...schedules, ...todos })),
  own(taskTable, ({ tasks }) => tasks),
  own(memoryTable, ({ memory }) => memory),
  own(strategyTable, () => null),
  own(quietTable, ({ quiet }) => quiet),
  own(approvalsTable, ({ approvals }) => approvals),
  own(signInsTable, ({ signIns }) => signIns),
  own(aboutTable, ({ about }) => about),
  own(auditTable, ({ audit }) => audit),
  own(privacyTable, ({ privacy }) => privacy),
]

export const createOwnCommands = (deps: OwnCommandDeps): Command[] =>
  ownCommands.map(({ create }) => create(deps))

/** Their tables: for platforms with forms of their own, and for docs/commands.md. */
export const commandTables: readonly CommandTable[] = [
  ...ownCommands.map(({ table }) => table),
  helpTable,
]
