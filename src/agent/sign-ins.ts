import type { Kept } from './domain/privacy.ts'
import type { Privacy } from './ports/store.ts'

interface Owner {
  workspace: string
  person: string
}

interface Service {
  server: string
  url: string
}

export type SignInRow = Service & { at: number }

/** Owner of the sign-ins that all people share. */
export const everybody: Owner = { workspace: 'mcp:installation', person: '' }

/** Sign-ins of people at services outside, without their tokens. */
export interface PersonalSignIns {
  list(owner: Owner): Promise<readonly SignInRow[]>
  signOut(service: Service, owner: Owner): Promise<boolean>
}

/** C862: sign-ins are kept of a person, and go with all of it; no export holds a token. */
export function withSignIns(privacy: Privacy, signIns: PersonalSignIns | null): Privacy {
  if (signIns === null) return privacy
  const keptOf = ({ server, url, at }: SignInRow): Kept => ({
    kind: 'sign_in',
    at,
    conversationId: null,
    text: `${server}: ${url}`,
  })
  return {
    ...privacy,
    kept: async (workspace, person) => [
      ...(await privacy.kept(workspace, person)),
      ...(await signIns.list({ workspace, person })).map(keptOf),
    ],
    async erase(workspace, person) {
      const own = await signIns.list({ workspace, person })
      const others = await privacy.erase(workspace, person)
      for (const one of own) await signIns.signOut(one, { workspace, person })
      return [...others, ...own.map(keptOf)]
    },
  }
}
