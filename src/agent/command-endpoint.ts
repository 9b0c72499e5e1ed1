import { texts } from '../locales/texts.ts'
import type { CommandResult } from './commands/command.ts'
import type { Commands } from './commands/registry.ts'
import { cleanText } from './domain/clean-text.ts'
import { deriveId } from './domain/id.ts'
import type { Author } from './domain/message.ts'
import { allowed, type Words } from './domain/words.ts'
import { type Access, isAllowed, standingIn } from './intake.ts'
import type { Clock } from './ports/clock.ts'

/** A command that was given by the platform's own means and not as a message. */
export interface CommandRequest {
  workspace: string
  channel: string
  /** Id of the thread in which it was given; absent outside Clew's threads. */
  conversationId?: string
  person: Author
  whose: Words
  locale: string
  timeZone: string
  /** It is not known to be the person's own. */
  zoneUnset?: boolean
  /** With its slash: `/todo list`. */
  text: string
  /** Names this gesture: given again, it has no second effect. */
  key: string
}

export type CommandEndpoint = (request: CommandRequest) => Promise<CommandResult>

/**
 * Answers commands at once and to the person alone (C44). They act on the channel's scope, like the
 * same words in one of its threads; no conversation is opened for them. What a command wants done
 * to a run is left to the caller.
 *
 * Contract: resolves when the effect is stored; throws when the store is away.
 */
export function createCommandEndpoint(deps: {
  commands: Pick<Commands, 'parse'>
  access: Access
  clock: Clock
}): CommandEndpoint {
  return async ({
    workspace,
    channel,
    conversationId = '',
    person,
    whose: given,
    locale,
    timeZone,
    zoneUnset = false,
    text,
    key,
  }) => {
    const by = standingIn(deps.access, given.by, channel)
    const whose = { ...given, by }
    const { core } = texts(locale)
    const { closed = false, fault = null } = deps.access.profileIn?.(channel) ?? {}
    const isAdmin = deps.access.admins?.includes(person.id) === true
    if (closed) return { ok: false, text: core.closed(isAdmin ? fault : null) }
    if (!isAllowed(deps.access, person.id, channel)) return { ok: false, text: core.notAllowed }
    if (by === 'unknown') return { ok: false, text: core.notKnown }
    if (allowed(whose, 'command') === null) return { ok: false, text: core.outsider }
    const invocation = deps.commands.parse(cleanText(text), { addressed: true })
    if (invocation === null) return { ok: false, text: texts(locale).core.emptyMention }
    // The last word is part of ids that are stored.
    const effectId = deriveId('x', workspace, key, 'desk')
    // By name: what an adapter gives beside it (its token, say) is nothing for a command.
    const asked = { workspace, channel, conversationId, person, whose, locale, timeZone, zoneUnset }
    return await invocation.run({ ...asked, now: deps.clock.now(), effectId })
  }
}
