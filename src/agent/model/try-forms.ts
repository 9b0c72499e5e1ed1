import type { ContractInputs } from '../contracts.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { kindOf } from '../ports/model.ts'
import { type Form, forms } from './forms.ts'
import { createOpenAiModel, type OpenAiOptions } from './openai.ts'

/** What asking in one form came to; `failure` null: it works. */
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
export async function tryForms(options: Omit<OpenAiOptions, 'knownForms'>): Promise<TriedForm[]> {
  const tried: TriedForm[] = []
  for (const form of forms) {
    const one = await tryForm(options, form)
    tried.push(one)
    if (one.failure !== null && one.failure !== 'reply_unusable') break
  }
  return tried
}

async function tryForm(options: Omit<OpenAiOptions, 'knownForms'>, form: Form): Promise<TriedForm> {
  let used: Form = form
  const knownForms = {
    get: () => used,
    set(_: string, next: Form) {
      used = next
    },
  }
  const reply = await createOpenAiModel({ ...options, knownForms }).call('chat', hello, new AbortController().signal)
  return { form, failure: used === form ? kindOf(reply) : 'reply_unusable' }
}
