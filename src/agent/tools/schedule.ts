import type { Command } from '../commands/command.ts'
import type { Tool } from '../ports/tool.ts'
import { bareLine } from './bare-line.ts'

const looks = `list
view day|week|month [YYYY-MM-DD]
get <id> | dry <id> | slots <id>`

const description = `Keeps the team's schedules: work that Clew starts by itself at its time. The input is one command line:
add <TIME or RULE> <what to do> [--duration MINUTES] [--remind TIME] [--interval MINUTES] [--times N] [--zone ZONE] [--here] [--note] [--quiet] [--strategy step|batch|free]
update <id> [TIME or RULE] [<what to do>] [options as for add]
delete <id> | pause <id> | resume <id> | run <id> | repeat <id> on|off
${looks}
TIME is YYYY-MM-DD HH:MM on the person's clock. RULE is cron in quotes ("0 9 * * 1-5") or words such as every weekday at nine. <what to do> is the whole task in one sentence, as if a person asked for it at that time. --here posts into this thread instead of a new one; --note only says the words, without doing anything; --quiet says nothing when there is nothing to report; --strategy says how its runs work, if a person asked for it. Results name each schedule by its id, as #3.`

const readOnlyDescription = `Shows the team's schedules; it changes nothing. The input is one command line:
${looks}`

/**
 * `/schedule` for the model: the same grammar and the same answers. Keyed: the store does each effect once (P1).
 *
 * @param readOnly what unattended runs get instead: a run that nobody watches makes no timers (F13, S4).
 */
export function createScheduleTool(command: Command, readOnly: Command): Tool {
  return {
    name: 'schedule',
    effect: 'keyed',
    allowable: false,
    description,
    run: (input, { signal: _, ...context }) => command.run(bareLine(command, input), context),
    readOnly: {
      name: 'schedule',
      effect: 'none',
      description: readOnlyDescription,
      run: (input, { signal: _, ...context }) => readOnly.run(bareLine(command, input), context),
    },
  }
}
