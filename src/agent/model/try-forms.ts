import type { ContractInputs } from '../contracts.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { kindOf } from '../ports/model.ts'
import { Form } from './forms.ts'
import { createOpenAiModel, type OpenAiOptions } from './openai.ts'

/** Result of probing one form; `failure` null: it works. */
export interface TriedForm {
  form: Form
  failure: FailureKind | null
}

const hello: ContractInputs['chat'] = {
  message: 'Say hello in one word.',
  author: { id: 'doctor', name: 'Doctor' },
  facts: [],
  recentMessages: [],
  recentRuns: [],
  runTypes: [],
  locale: 'en',
  timeZone: 'UTC',
  now: '2026-01-01T09:00+00:00',
}

/** Asks the model for one word in each form, best first; an endpoint that refuses one for another reason is not asked again. */
export async function tryForms(options: OpenAiOptions, stop: AbortSignal): Promise<TriedForm[]> {
  const tried: TriedForm[] = []
  for (const form of Form.options) {
    const one = await tryForm(options, form, stop)
    tried.push(one)
    if (one.failure !== null && one.failure !== 'reply_unusable') break
  }
  return tried
}

async function tryForm(options: OpenAiOptions, form: Form, stop: AbortSignal): Promise<TriedForm> {
  const reply = await createOpenAiModel({ ...options, decisionModel: null, form }).call(
    'chat',
    hello,
    stop,
  )
  return { form, failure: kindOf(reply) }
}
