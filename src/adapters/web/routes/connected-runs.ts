import { z } from 'zod'
import type { Started } from '../../../agent/connectors.ts'
import type { ChannelAddress } from '../../../agent/domain/conversation.ts'
import { RunBody } from '../bodies.ts'
import { limits } from '../limits.ts'
import { refuse } from '../problems.ts'
import { notForMembers } from '../route.ts'

const Accepted = z.object({
  id: z.string(),
  conversationId: z.string().nullable(),
  groupRunId: z.string().nullable().describe('The run whose result is the report on the group'),
  duplicate: z.boolean(),
})

/**
 * C120: starts work, and answers once it is stored. A retried request is answered with the existing
 * run.
 */
export const connectedRunRoute = notForMembers.bodyRoute('post', '/api/runs', {
  summary: 'Starts work, for a connector with its own secret',
  description:
    'The work is unattended: it has no tools with side effects. With `conversationId` or `channel` its report is posted there; without both it is in GET /api/runs/{id}, which a connector may ask for its own runs. See docs/connectors.md.',
  body: RunBody,
  status: 202,
  answer: Accepted,
  refusals: [
    'connectors_only',
    'text_too_long',
    'unreadable',
    'run_type_not_allowed',
    'channel_not_allowed',
    'unknown_conversation',
    'too_many_runs',
    'group_closed',
    'group_full',
    'group_differs',
  ],
  async handle({ c, web: { connectors, reach }, body }) {
    const caller = c.get('caller')
    if (connectors === undefined || caller?.kind !== 'connector') return refuse('connectors_only')
    if (JSON.stringify(body.input).length > limits.textCharacters)
      return refuse('text_too_long', { limit: limits.textCharacters })
    const { channel, ...rest } = body
    const request = { ...rest, channel: channel === undefined ? undefined : placeIn(channel) }
    const started = await reach(() => connectors.start(caller.connector, request))
    if (started.kind === 'refused') return refuseStart(started)
    const { id, conversationId, connector } = started.run
    return {
      id,
      conversationId,
      groupRunId: connector?.gatherer ?? null,
      duplicate: started.kind === 'known',
    }
  },
})

/** Channel from `slack:T024BE7LD/C061EG9SL`, as in the file of the connectors. */
function placeIn(text: string): ChannelAddress {
  const [workspace = '', ...channel] = text.split('/')
  return { workspace, channel: channel.join('/') }
}

function refuseStart(refused: Extract<Started, { kind: 'refused' }>): never {
  if (refused.why === 'run_type_not_allowed') return refuse(refused.why, { type: refused.type })
  if (refused.why === 'unfit_input') return refuse('unreadable', { text: refused.problem })
  return refuse(refused.why)
}
