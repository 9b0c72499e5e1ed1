import { z } from 'zod'
import { platformOf } from '../../agent/domain/conversation.ts'
import type { DeliveryBody } from '../../agent/domain/delivery.ts'
import type { FailedDelivery } from '../../agent/ports/backlog.ts'
import type { Web } from './context.ts'
import { plainLine } from './render.ts'
import { named, text, textOrNull } from './views.ts'

/**
 * View of a delivery that failed: content, place and reason (C230). Deliveries for one person alone
 * are not shown.
 */
export const FailedView = named('FailedDelivery', {
  id: text,
  workspace: text,
  platform: text,
  conversationId: textOrNull.describe('Null: the thread was deleted'),
  title: text.describe('Of the thread'),
  link: textOrNull.describe('The thread on its platform'),
  at: z.number(),
  kind: z.enum(['message', 'final', 'question', 'private', 'other']),
  text: textOrNull,
  why: z.enum(['gone', 'forbidden', 'refused', 'broken']),
  problem: text.describe('In the words of the platform'),
  state: z.enum(['failed', 'waiting', 'sent', 'over']),
})
export type FailedView = z.infer<typeof FailedView>

export async function renderFailed(
  { store, reach, linkTo }: Web,
  failed: FailedDelivery & { workspace: string },
): Promise<FailedView> {
  const { workspace, conversationId, delivery, id, at, problem, state } = failed
  const found = await reach(() => store.conversations.state(workspace, conversationId, 0))
  const { kind, text } = shown(delivery.body)
  return {
    id,
    workspace,
    platform: platformOf(workspace),
    at,
    kind,
    text,
    problem,
    state,
    why: whyOf(failed),
    conversationId: found === null ? null : conversationId,
    title: found?.conversation.title ?? '',
    link: found === null ? null : linkTo(found.conversation.address),
  }
}

function shown(body: DeliveryBody): Pick<FailedView, 'kind' | 'text'> {
  if (body.kind === 'private') return { kind: body.kind, text: null }
  if (body.kind === 'question') return { kind: body.kind, text: plainLine(body.question.text) }
  if (body.kind === 'message' || body.kind === 'final')
    return { kind: body.kind, text: plainLine(body.text) }
  return { kind: 'other', text: 'text' in body ? plainLine(body.text) : null }
}

const gone =
  /channel_not_found|is_archived|thread_not_found|gone|Unknown (?:Channel|Message)|\(1000[38]\)/i
const forbidden =
  /not_in_channel|restricted|no_permission|missing_scope|cannot|Missing (?:Access|Permissions)|\(500(?:01|13)\)|closed/i

/** Kind of failure, by which advice is given. A platform's unknown error is shown as it is. */
function whyOf({ refused, problem }: FailedDelivery): FailedView['why'] {
  if (!refused) return 'broken'
  if (gone.test(problem)) return 'gone'
  return forbidden.test(problem) ? 'forbidden' : 'refused'
}
