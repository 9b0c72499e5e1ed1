import { Routes } from 'discord.js'
import { z } from 'zod'
import type { Author } from '../../agent/domain/message.ts'
import { type Api, type Failure, get } from './api.ts'
import { nameOf } from './content.ts'
import { limits } from './limits.ts'
import { User } from './message.ts'
import { Member } from './permissions.ts'

/** Member of a server with their account and their name there. */
export const NamedMember = Member.extend({ user: User, nick: z.string().nullish() })

/** Returns a member under their name in the server; null: a bot. */
export const personOf = ({ user, nick }: z.infer<typeof NamedMember>): Author | null =>
  user.bot === true ? null : { id: user.id, name: nameOf(user, nick) }

/** Searches members whose name begins with the text, as Discord matches them. */
export async function membersNamed(
  api: Api,
  guildId: string,
  name: string,
): Promise<{ kind: 'ok'; people: readonly Author[]; gap: boolean } | Failure> {
  const query = { query: name.replace(/^@/, ''), limit: String(limits.peopleFound + 1) }
  const answer = await get(api, Routes.guildMembersSearch(guildId), z.array(NamedMember), query)
  if (answer.kind !== 'ok') return answer
  const found = answer.value.flatMap((one) => personOf(one) ?? [])
  const gap = found.length > limits.peopleFound
  return { kind: 'ok', people: found.slice(0, limits.peopleFound), gap }
}
