import { type ContractInputs, type ContractReplies, readReply } from '../contracts.ts'
import type { Usage } from '../domain/budget.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { noUsage, plus } from '../domain/usage.ts'
import type { Session } from './session.ts'

/** Requests for one answer; then the run does without. */
const attemptsMost = 3

export interface Asked<N extends 'follow_up' | 'conversation_summary'> {
  /** Null: nothing that can be used came back. */
  reply: ContractReplies[N] | null
  usage: Usage
  calls: Extract<TraceEvent, { kind: 'model_call' }>[]
}

/**
 * Asks until a reply keeps its contract; each request is told why the one before was refused. A day
 * that is used up has no reply.
 */
export async function askModel<N extends 'follow_up' | 'conversation_summary'>(
  session: Session,
  contract: N,
  input: ContractInputs[N],
): Promise<Asked<N>> {
  const { deps, signal } = session
  const asked: Asked<N> = { reply: null, usage: noUsage, calls: [] }
  if ((await session.meter.reached(deps.clock.now())) !== null) return asked
  let refusal: string | null = null
  while (asked.calls.length < attemptsMost && !signal.aborted) {
    const { model } = deps.profileIn?.(session.run.channel) ?? {}
    const request: ContractInputs[N] = { ...input, refusal, model }
    const started = deps.clock.now()
    const answer = await deps.model.call(contract, request, signal)
    const read = answer.ok ? readReply(contract, request, answer.value) : null
    const problem = answer.ok ? (read?.ok === false ? read.problem : null) : answer.code
    const ms = deps.clock.now() - started
    asked.calls.push({
      kind: 'model_call',
      contract,
      ok: problem === null,
      problem,
      ms,
      ...answer.usage,
    })
    asked.usage = plus(asked.usage, answer.usage)
    if (read?.ok) return { ...asked, reply: read.reply }
    if (!answer.ok && answer.code !== 'bad_reply') return asked
    refusal = answer.ok ? problem : answer.message
  }
  return asked
}
