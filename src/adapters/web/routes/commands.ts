import { z } from 'zod'
import { forMembers } from '../route.ts'
import { CommandView } from '../views.ts'

/** C245: the list of `/help`, with which the page completes commands. */
export const commandsRoute = forMembers.route('get', '/api/commands', {
  summary: 'The commands and their subcommands, each with one line, in the language of the request',
  answer: z.object({ commands: z.array(CommandView) }),
  async handle({ c, web }) {
    const locale = web.locale(c)
    const commands = web.commands ?? []
    return {
      commands: commands.map(({ name, aliases, summary, parts }) => ({
        name,
        aliases: [...aliases],
        summary: summary(locale),
        parts: (parts?.(locale) ?? []).map((part) => ({ ...part, aliases: [...part.aliases] })),
      })),
    }
  },
})
