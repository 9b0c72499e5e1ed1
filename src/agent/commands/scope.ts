import { isTeam } from '../domain/conversation.ts'
import type { CommandContext } from './command.ts'

export const scopeSettings = ['channel', 'user', 'workspace'] as const
export type ScopeSetting = (typeof scopeSettings)[number]
export type ScopeOf = (context: Pick<CommandContext, 'workspace' | 'channel' | 'person'>) => string

/**
 * Whose to-dos a command works on (C45). The scope comes from where the command was given, never
 * from its words, so that nothing that is written can name another one's (S5).
 *
 * Work that nobody asked for has no person: with the setting `user` it sees the channel's. So do
 * direct messages that belong to no team, with the setting `workspace`.
 */
export function scopeBy(setting: ScopeSetting): ScopeOf {
  return ({ workspace, channel, person }) => {
    if (setting === 'workspace' && isTeam(workspace)) return 'workspace'
    return setting === 'user' && person !== null ? `user:${person.id}` : `channel:${channel}`
  }
}
