import { texts } from '../../locales/texts.ts'
import { messageOf } from '../tools/contained.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'

/** A command from outside. What it leaves out is the plainest thing that fits. */
export interface CommandDefinition {
  /** Name behind the slash: lower-case letters, digits and hyphens. */
  readonly name: string
  readonly aliases?: readonly string[]
  /** Line for `/help`, the same in every language or one for each. */
  readonly summary: string | ((locale: string) => string)
  /** Its forms, one each, beginning with a slash; `/name` where it is left out. */
  readonly usage?: readonly string[]
  /** True if words without a slash can only be meant for it. Default: never. */
  recognises?(args: string): boolean
  /**
   * `args` is all behind the name. The same `effectId` again changes nothing. What it throws is
   * said in the thread.
   */
  run(args: string, context: CommandContext): Promise<CommandResult>
}

/** @throws Error when a name is none. */
export function defineCommand({
  aliases = [],
  summary,
  usage,
  recognises,
  ...own
}: CommandDefinition): Command {
  const { name } = own
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) throw new Error(`a command cannot be called "${name}"`)
  return {
    name,
    aliases,
    summary: (locale) => (typeof summary === 'string' ? summary : summary(locale)),
    usage: () => [...(usage ?? [`/${name}`])],
    recognises: (args) => recognises?.(args) ?? false,
    async run(args, context) {
      try {
        return await own.run(args, context)
      } catch (error) {
        return {
          ok: false,
          text: texts(context.locale).core.commandBroke(`/${name}`, messageOf(error)),
        }
      }
    },
  }
}
