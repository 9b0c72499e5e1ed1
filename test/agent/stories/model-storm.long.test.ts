import { expect, it, onTestFinished } from 'vitest'
import type { FailureKind } from '../../../src/agent/domain/model-failure.ts'
import { createAiSdk } from '../../../src/agent/model/ai-sdk.ts'
import { createModelList } from '../../../src/agent/model/fallback.ts'
import { createOpenAiModel, type OpenAiOptions } from '../../../src/agent/model/openai.ts'
import { type Provider, providers } from '../../../src/agent/model/providers.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { acts, closes, decides, ends, plans, replans } from '../../fakes/model.ts'
import { providerErrors } from '../../fakes/openai/provider-errors.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { type Answer, startProvider } from '../../fakes/providers.ts'
import { createRandom } from '../../soak/plan.ts'
import { useClew } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'
import { inputs } from '../model/inputs.ts'
import { failuresEach, parts, playTasks, recordingTool, seed, tell } from './storm.ts'

/*
 * C136: random failures of all ten kinds, at random models of a list, in the middle of tasks, through the real clients: Chat
 * Completions, Responses and the providers' packages. `npm run soak -- models` takes 10,000 of them; the tests a short share.
 */

const start = useClew()

/** The model's own part: what the task has noted stands in the request, and each item is noted once. */
function play(contract: string, prompt: string): unknown {
  const id = /Do (T\d+)/.exec(prompt)?.[1] ?? ''
  const item = /\[current\] (first|second)/.exec(prompt)?.[1] ?? ''
  const isNoted = (what: string) => prompt.includes(`Noted: ${id} ${what}.`)
  if (contract === 'decision') return decides.run(`Do ${id}`)
  if (contract === 'plan') return plans('first', 'second')
  if (contract === 'thought')
    return isNoted(item) ? closes(item) : acts(`${id} ${item}`, 'ledger', item)
  return isNoted('second') || prompt.includes('(nothing)')
    ? ends(`${id} is done.`)
    : replans('second')
}

/** Each kind as a provider says it: the status and its own word. */
const providerFailures: Readonly<Record<FailureKind, [status: number, type: string] | Answer>> = {
  key_refused: [401, 'authentication_error'],
  no_credit: [402, 'billing_error'],
  unknown_model: [404, 'not_found_error'],
  wrong_address: [405, 'method_not_allowed'],
  rate_limited: [429, 'rate_limit_error'],
  overloaded: [529, 'overloaded_error'],
  unreachable: { kind: 'cut' },
  timed_out: [504, 'timeout_error'],
  context_too_long: [413, 'request_too_large'],
  filtered: [400, 'content_policy_violation'],
  reply_unusable: { kind: 'value', contract: 'thought', value: { status: 'odd' } },
}
const chatBody = (_: number, type: string) => ({ error: { type, message: type } })
const bodies: Readonly<Record<Provider, (status: number, type: string) => unknown>> = {
  mistral: (_, type) => ({ object: 'error', message: type, type, param: null, code: null }),
  deepseek: chatBody,
  xai: (_, type) => ({ code: 'Some requested entity', error: type }),
  groq: chatBody,
  'openai-compatible': chatBody,
  anthropic: (_, type) => ({ type: 'error', error: { type, message: type } }),
  google: (code, type) => ({ error: { code, message: type, status: type.toUpperCase() } }),
  bedrock: (_, type) => ({ message: type }),
}

function failureOf(provider: Provider, kind: FailureKind): Answer {
  const failure = providerFailures[kind]
  if (!Array.isArray(failure)) return failure
  const [status, type] = failure
  const headers: Record<string, string> = kind === 'rate_limited' ? { 'retry-after': '3' } : {}
  return { kind: 'failure', status, headers, body: bodies[provider](status, type) }
}

const kinds = Object.keys(providerFailures) as FailureKind[]

/** A model by each way in, each of which fails in four of ten requests. */
async function failingModels(random: () => number) {
  const failed = new Map<FailureKind, number>()
  let all = 0
  let isCalm = true
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  /** The kind of the failure that is due now; null: none. */
  function due(): FailureKind | null {
    if (isCalm || random() < 0.6) return null
    const kind = pick(kinds)
    failed.set(kind, (failed.get(kind) ?? 0) + 1)
    all += 1
    return kind
  }
  const [chat, responses] = await Promise.all([
    startOpenAi({ remembers: false }),
    startOpenAi({ remembers: false }),
  ])
  onTestFinished(async () => void (await Promise.all([chat, responses].map((one) => one.close()))))
  for (const server of [chat, responses])
    server.answer((request) => {
      const kind = due()
      if (kind === null) return fake.value(play(request.contract, request.prompt))
      if (kind === 'timed_out' && random() < 0.1) return fake.hang()
      return pick(providerErrors.filter(([one]) => one === kind))[2]
    })
  const options = (model: string, over: Partial<OpenAiOptions>): OpenAiOptions => ({
    ...{
      apiKey: 'sk-x',
      baseURL: chat.url,
      model,
      timeoutMs: 1_000,
      form: 'function',
      log: silent,
    },
    ...{ clock: { now: () => 0 }, ...over },
  })
  const byPackage = async (provider: Provider) => {
    const server = await startProvider(provider)
    onTestFinished(() => server.close())
    server.answerBy(({ text }) => {
      const kind = due()
      if (kind !== null) return failureOf(provider, kind)
      // As the others read it: the texts, not their JSON.
      const prompt = text.replaceAll('\\n', '\n')
      const contract = [...prompt.matchAll(/# Contract: (\w+)/g)].at(-1)?.[1] as 'thought'
      return { kind: 'value', contract, value: play(contract, prompt) }
    })
    const complete = await createAiSdk({
      provider,
      apiKey: 'k',
      baseURL: server.url,
      region: 'eu-west-1',
    })
    return createOpenAiModel(options(`by-${provider}`, { complete, baseURL: provider }))
  }
  const models = [
    createOpenAiModel(options('by-chat', { baseURL: chat.url })),
    createOpenAiModel(
      options('by-responses', {
        baseURL: responses.url,
        api: 'responses',
        complete: await createAiSdk({ provider: 'openai', apiKey: 'k', baseURL: responses.url }),
      }),
    ),
    ...(await Promise.all(providers.map(byPackage))),
  ]
  // Long enough that what is said of shorter requests is not believed (C100).
  const long = { ...inputs.thought, goal: 'Compare the venues. '.repeat(2_000) }
  const ask = (model: Model) => model.call('thought', long, new AbortController().signal)
  // The first request of a package may take longer than any other may.
  for (const model of models) while (!(await ask(model)).ok);
  isCalm = false
  return { models: models as [Model, ...Model[]], failures: () => all, byKind: failed }
}

it.each(parts)(
  'loses no task and doubles no effect while random models of the list fail in random ways, part %i (C136, C102, P11)',
  async (part) => {
    const random = createRandom(seed * 1_000 + part)
    const { models, failures, byKind } = await failingModels(random)
    const { tool, effects } = recordingTool()
    let list: Model | null = null
    const model: Model = {
      name: 'list',
      call: (contract, input, signal) => {
        if (list === null) throw new Error('not yet')
        return list.call(contract, input, signal)
      },
    }
    const limits = { maxSteps: 1_000, maxModelCalls: 10_000, maxContractFailures: 1_000 }
    const clew = await start({ model, tools: [tool], limits })
    const lists = { deciding: models, working: models, seeing: models, summing_up: models }
    list = createModelList(lists, { clock: clew.clock, log: silent })
    const { tasks, said } = await playTasks(clew, failures)
    const where = `seed ${seed}`
    const wanted = tasks.flatMap((id) => [`${id} first`, `${id} second`])
    expect([...effects.values()].sort(), where).toEqual(wanted.toSorted())
    for (const id of tasks)
      expect(
        clew.texts(id).filter((text) => text.includes('is done.')),
        `${id}, ${where}`,
      ).toHaveLength(1)
    tell({
      failures: failures(),
      tasks: tasks.length,
      said,
      lives: clew.lives(),
      ...Object.fromEntries(byKind),
    })
  },
  Math.max(120_000, failuresEach * 3_000),
)
