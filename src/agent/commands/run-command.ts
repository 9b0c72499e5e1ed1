import { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import { dueDayOf } from '../domain/todo.ts'
import type { ChannelTraits } from '../ports/channel.ts'
import type { Notes } from '../ports/notes.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import { clockOf } from './schedule-render.ts'

export interface RunCommandDeps {
  /** Returns how a workspace's platform shows times, and how people give commands there. */
  traitsIn(workspace: string): Partial<ChannelTraits>
  /** Remembers to whom it was said that their time zone is not set (C139). */
  notes?: Pick<Notes, 'claim'> | undefined
}

/**
 * Runs a command with times as its platform shows them (C138).
 *
 * @returns also what is to be said beside the answer: on which clock a time was read, once for each
 *   person whose zone is not known (C139, C194).
 */
export async function runCommand(
  command: Pick<Command, 'run'>,
  args: string,
  { zoneUnset = false, ...context }: CommandContext,
  { traitsIn, notes }: RunCommandDeps,
): Promise<CommandResult & { zoneNote: string | null }> {
  const { times = 'named', commands, setsZone = null } = traitsIn(context.workspace)
  const { workspace, locale, timeZone, person, effectId } = context
  const result = await command.run(args, {
    ...context,
    times,
    commands,
  })
  const at = zoneUnset && result.ok ? timeIn(result.data, timeZone) : null
  if (at === null || !(await notes?.claim(workspace, `zone-unset:${person?.id}`, null, effectId)))
    return { ...result, zoneNote: null }
  return {
    ...result,
    zoneNote: texts(locale).core.zoneUnset(clockOf(at, timeZone), timeZone, setsZone),
  }
}

/** The time that a row holds; null where it is a day alone, which needs no clock. */
function timeIn(data: unknown, timeZone: string): number | null {
  const { dueAt = null, dueDay, nextAt } = Timed.safeParse(data).data ?? {}
  if (dueAt !== null) return dueDayOf({ dueAt, dueDay }, timeZone) === null ? dueAt : null
  return nextAt ?? null
}

const Timed = z.object({
  dueAt: z.number().nullish(),
  dueDay: z.string().nullish(),
  nextAt: z.number().nullish(),
})
