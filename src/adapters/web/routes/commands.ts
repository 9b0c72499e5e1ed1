import { z } from 'zod'
import type { Web } from '../context.ts'
import { routesWith } from '../route.ts'
import { CommandView } from '../views.ts'

/** C245: what `/help` lists, for the page to complete. */
export const commandsRoute = routesWith<Web>({ members: true }).route('get', '/api/commands', {
  summary: 'The commands and their subcommands, each with one line, in the language of the request',
  answer: z.object({ commands: z.array(CommandView) }),
  async handle({ c, web }) {
    const locale = web.locale(c)
    const commands = web.deps.commands ?? []
    return {
      commands: commands.map(({ name, aliases, summary, parts }) => ({
        ...{ name, aliases: [...aliases], summary: summary(locale) },
        parts: (parts?.(locale) ?? []).map((part) => ({ ...part, aliases: [...part.aliases] })),
      })),
    }
  },
})
