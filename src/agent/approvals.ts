import type { StandingApproval } from './domain/standing-approval.ts'
import type { Approvals } from './ports/approvals.ts'
import type { Privacy } from './ports/store.ts'

/**
 * C772: approvals that stay are kept of who they are for and of who gave them, and go with all of
 * it.
 */
export function withApprovals(privacy: Privacy, approvals: Approvals): Privacy {
  const ofPerson = async (workspace: string, person: string) =>
    (await approvals.list(workspace)).filter(
      ({ asker, by }) => asker.id === person || by.id === person,
    )
  const keptOf = ({ tool, input, at }: StandingApproval) => ({
    kind: 'approval' as const,
    at,
    conversationId: null,
    text: `${tool}: ${input}`,
  })
  return {
    ...privacy,
    kept: async (workspace, person) => [
      ...(await privacy.kept(workspace, person)),
      ...(await ofPerson(workspace, person)).map(keptOf),
    ],
    async erase(workspace, person) {
      const own = await ofPerson(workspace, person)
      const others = await privacy.erase(workspace, person)
      await approvals.drop(
        workspace,
        own.map(({ id }) => id),
      )
      return [...others, ...own.map(keptOf)]
    },
  }
}
