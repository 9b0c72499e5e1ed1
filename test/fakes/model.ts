import { once } from 'node:events'
import type { ContractInputs, ContractName } from '../../src/agent/contracts.ts'
import type { FailureKind } from '../../src/agent/domain/model-failure.ts'
import type { Model, ModelReply } from '../../src/agent/ports/model.ts'

const usage = { promptTokens: 100, completionTokens: 20, cost: 200_000 }
const scripted = Symbol('scripted')

/** What the model does with one call; a plain value in a script is the reply itself. */
interface Scripted {
  [scripted](signal: AbortSignal): Promise<ModelReply>
}
const script = (act: Scripted[typeof scripted]): Scripted => ({ [scripted]: act })

type Call = { [N in ContractName]: { contract: N; input: ContractInputs[N] } }[ContractName]
type Answerer = (call: Call) => unknown

export interface FakeModel extends Model {
  /** Every call, in order. */
  readonly calls: readonly Call[]
  /** The contracts of the calls, in order. */
  contracts(): ContractName[]
  /** Adds replies to the next calls of a contract. They are used up in order. */
  on(contract: ContractName, ...replies: unknown[]): void
  /** Answers every call for which the script holds no reply. */
  answer(answerer: Answerer): void
  /** Resolves when the model has been called `count` times in all. */
  received(count: number): Promise<void>
  /** Contracts of the calls that no script expected. */
  readonly unexpected: readonly ContractName[]
  /** Throws unless every reply was used and every call was expected. */
  assertDone(): void
}

/** A model that plays a script, records what it was asked, and must end empty. */
export function createFakeModel(): FakeModel {
  const calls: Call[] = []
  const replies = new Map<ContractName, unknown[]>()
  const unexpected: ContractName[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let answerer: Answerer | null = null

  function next(call: Call): unknown {
    const line = replies.get(call.contract) ?? []
    if (line.length > 0) return line.shift()
    if (answerer !== null) return answerer(call)
    unexpected.push(call.contract)
    return fails('unavailable')
  }

  return {
    name: 'fake',
    calls,
    unexpected,
    contracts: () => calls.map(({ contract }) => contract),
    on(contract, ...given) {
      replies.set(contract, [...(replies.get(contract) ?? []), ...given])
    },
    answer(given) {
      answerer = given
    },
    received(count) {
      return new Promise((resolve) => {
        if (calls.length >= count) resolve()
        else waiting.push({ count, resolve })
      })
    },
    assertDone() {
      const left = [...replies].flatMap(([contract, line]) =>
        line.map(() => `unused reply to ${contract}`),
      )
      const problems = [...left, ...unexpected.map((contract) => `no reply for ${contract}`)]
      if (problems.length > 0) throw new Error(`the model is not done: ${problems.join('; ')}`)
    },
    async call(contract, input, signal) {
      const call = { contract, input: structuredClone(input) } as Call
      calls.push(call)
      const reply = next(call)
      for (const one of waiting) if (calls.length >= one.count) one.resolve()
      if (signal.aborted) return { ok: false, code: 'aborted', usage }
      return await played(reply, signal)
    },
  }
}

const isScripted = (reply: unknown): reply is Scripted =>
  typeof reply === 'object' && reply !== null && scripted in reply

const played = async (reply: unknown, signal: AbortSignal): Promise<ModelReply> =>
  isScripted(reply) ? await reply[scripted](signal) : { ok: true, value: reply, usage }

type Failure = 'bad_reply' | 'unavailable' | 'timeout' | 'not_configured'

/** No answer, for a reason that an endpoint gave. */
export const failsAs = (kind: FailureKind, retryAfterMs: number | null = null): Scripted =>
  script(async () => ({
    ok: false,
    code: 'unavailable',
    kind,
    message: `the model is ${kind}`,
    retryAfterMs,
    usage,
  }))

export function fails(code: Failure, retryAfterMs: number | null = null): Scripted {
  return script(async () => {
    if (code === 'not_configured')
      return { ok: false, code, usage: { promptTokens: 0, completionTokens: 0 } }
    if (code === 'bad_reply')
      return { ok: false, code, message: 'the reply is not a JSON object', usage }
    return { ok: false, code, message: `the model is ${code}`, retryAfterMs, usage }
  })
}

/** A reply that waits until `release`, so that a test can act while the model thinks; an abort ends the wait. */
export function held(value: unknown): Scripted & { release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const reply = script(async (signal) => {
    const aborted = new Promise<void>((stop) =>
      signal.addEventListener('abort', () => stop(), { once: true }),
    )
    await Promise.race([promise, aborted])
    return signal.aborted ? { ok: false, code: 'aborted', usage } : await played(value, signal)
  })
  return Object.assign(reply, { release: resolve })
}

/** A reply that is there just as the call is aborted. */
export const crosses = (value: unknown): Scripted =>
  script(async (signal) => {
    if (!signal.aborted) await once(signal, 'abort')
    return await played(value, new AbortController().signal)
  })

/** No answer at all; only an abort ends the call. */
export const hangs = (): Scripted => held(null)

/** The replies that most stories are made of. */
const nothing = { next_action: null, question: null, choices: null, response: null }
export const decides = {
  reply: (content: string) => decision({ decision: 'reply', reply: { content } }),
  run: (goal: string, title = goal) => decision({ decision: 'run', run: task(goal, title) }),
  both: (content: string, goal: string) =>
    decision({ decision: 'reply_and_run', reply: { content }, run: task(goal, goal) }),
  ignore: () => decision({ decision: 'ignore' }),
  join: () => decision({ decision: 'join' }),
  runs: (...runs: unknown[]) => decision({ decision: 'run', runs }),
}
const decision = (given: object) => ({
  reply: null,
  run: null,
  runs: null,
  confidence: 0.9,
  reason: 'as asked',
  ...given,
})
export const task = (goal: string, title: string | null = goal) => ({
  type: 'agent_task',
  title,
  conversation_id: null,
  input: JSON.stringify({ goal }),
})
export const sleep = (seconds: number, title: string | null = 'Wait') => ({
  type: 'sleep',
  title,
  conversation_id: null,
  input: JSON.stringify({ seconds }),
})
export const plans = (...plan: string[]) => ({ status: 'planned', plan })
export const acts = (input: string, tool = 'todo', current_step = 'It') => ({
  ...nothing,
  status: 'continue',
  current_step,
  next_action: { tool, input },
})
export const asks = (question: string, choices: string[] | null = null) => ({
  ...nothing,
  status: 'ask_user',
  current_step: 'It',
  question,
  choices,
})
export const closes = (response: string | null = null) => ({
  ...nothing,
  status: 'done',
  current_step: 'It',
  response,
})
/** Words for the thread beside the work, or under an open question. */
export const says = (say: string, ...plan: string[]) => ({ ...replans(...plan), say })
export const replans = (...plan: string[]) => ({ status: 'replanned', plan, response: null })
export const ends = (response: string) => ({ status: 'done', plan: [], response })
