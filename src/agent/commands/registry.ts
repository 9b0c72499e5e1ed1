import type { Command, CommandContext, CommandResult } from './command.ts'
import { narrow } from './command-line.ts'
import { named } from './grammar.ts'
import { createHelpCommand, unknownCommand } from './help.ts'
import { distance } from './nearest.ts'
import { type RunCommandDeps, runCommand } from './run-command.ts'

/** A text that is a command, understood or not; running it never needs a model (R1). */
export interface Invocation {
  /** Name of the command that runs; null if there is none by that name. */
  readonly name: string | null
  run(context: CommandContext): Promise<CommandResult>
}

export interface Commands {
  /** In the order of `/help`. */
  readonly all: readonly Command[]
  /**
   * `/todo …` and `!todo …` (C44), also with full-width signs, and in text that is addressed to
   * Clew `todo …` if the words can only be meant for the command.
   *
   * @returns null when the text is no command. Whatever begins with a slash is one (R1); it may be
   *   one that does not exist, and then says which was most likely meant.
   */
  parse(text: string, options?: { addressed?: boolean }): Invocation | null
}

/**
 * @param commands `/help` is added to them.
 * @throws Error when two have one name: a mistake of the composition.
 */
export function createCommands(
  commands: readonly Command[],
  shown: RunCommandDeps = { traitsIn: () => ({}) },
): Commands {
  const all: Command[] = [...commands, createHelpCommand(() => all)]
  refuseTwins(all)
  return {
    all,
    parse(text, { addressed = false } = {}) {
      const match = /^\s*(?:([/／])\s*|([!！]))?([^\s:：]*)[:：]?\s*([\s\S]*)$/u.exec(text)
      const [, slash, bang, typed = '', args = ''] = match ?? []
      // A slash alone asks what there is.
      const command = named(all, slash !== undefined && typed === '' ? 'help' : typed)
      if (slash !== undefined)
        return command ? known(command, args, shown) : unknown(typed, args, all)
      if (bang !== undefined) {
        // `!important` is no command, `!tood` most likely is.
        if (command === null) return isNear(typed, all) ? unknown(typed, args, all) : null
        return known(command, args, shown)
      }
      return addressed && command?.recognises(args) ? known(command, args, shown) : null
    },
  }
}

function known(command: Command, args: string, shown: RunCommandDeps): Invocation {
  return {
    name: command.name,
    async run(context) {
      const { zoneNote, ...result } = await runCommand(command, args.trim(), context, shown)
      return zoneNote === null ? result : { ...result, text: `${result.text}\n\n${zoneNote}` }
    },
  }
}

function unknown(typed: string, args: string, all: readonly Command[]): Invocation {
  return {
    name: null,
    async run({ locale }) {
      return { ok: false, text: unknownCommand(typed, args, all, locale) }
    },
  }
}

function isNear(typed: string, all: readonly Command[]): boolean {
  return typed.length <= 20 && all.some((command) => distance(narrow(typed), command.name) === 1)
}

function refuseTwins(all: readonly Command[]): void {
  const names = all.flatMap((command) => [command.name, ...command.aliases])
  const twin = names.find((name, index) => names.indexOf(name) !== index)
  if (twin !== undefined) throw new Error(`two commands are called ${twin}`)
}
