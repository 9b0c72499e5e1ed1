import type { Command } from '../commands/command.ts'
import { looksOnly } from '../commands/todo.ts'
import type { Tool } from '../ports/tool.ts'
import { bareLine } from './bare-line.ts'

const description = `Keeps the team's to-dos. The input is one command line:
add <text> [--tag T] [--priority N] [--due TIME] [--remind TIME]
list [--tag T] [--view all|today|overdue|upcoming|inbox]
search <words> [--tag T]
get <id> | done <id> | delete <id>
update <id> [<text>] [--tag T] [--priority N] [--due TIME|none] [--remind TIME|none]
TIME is YYYY-MM-DD HH:MM on the person's clock. Priority 0 comes first. --remind needs --due. Options that update leaves out stay as they are. Results name each to-do by its id, as #3.`

const readOnlyDescription = `Shows the team's to-dos; it changes nothing. The input is one command line:
list [--tag T] [--view all|today|overdue|upcoming|inbox]
search <words> [--tag T]
get <id>
Results name each to-do by its id, as #3.`

/**
 * `/todo` for the model: the same grammar and the same answers.
 *
 * Keyed: the command hands its effect id to the store, which does each once (P1).
 *
 * @param readOnly what unattended runs get instead, unless their schedule allows more (S4).
 */
export function createTodoTool(command: Command, readOnly: Command | null = null): Tool {
  return {
    name: 'todo',
    effect: 'keyed',
    description,
    looks: (input) => looksOnly(bareLine(command, input)),
    run: (input, { signal: _, ...context }) => command.run(bareLine(command, input), context),
    ...(readOnly === null ? {} : { readOnly: looking(readOnly) }),
  }
}

function looking(command: Command): Tool {
  return {
    name: 'todo',
    effect: 'none',
    description: readOnlyDescription,
    run: (input, { signal: _, ...context }) => command.run(bareLine(command, input), context),
  }
}
