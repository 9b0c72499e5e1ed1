import {
  type ClientApp,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type ElicitationContentValue,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { cleanText } from '../../../agent/domain/clean-text.ts'
import { consentIn } from '../../../agent/said/consent.ts'
import { readConfined, writeConfined } from './confined.ts'
import type { Heard } from './heard.ts'
import type { Requests } from './requests.ts'
import type { Terminals } from './terminals.ts'

/** Longest request that people can be asked to approve, in characters. */
const askedMost = 20_000
const fieldsMost = 5

interface Parts {
  root: string
  requests: Requests
  terminals: Terminals
  heard: Heard
  /** False while an agent repeats an earlier session. */
  isListening(): boolean
}

/** Clew's side of the protocol: the requests that an agent may make of its client. */
export function createClientApp({
  root,
  requests,
  terminals,
  heard,
  isListening,
}: Parts): ClientApp {
  const { fs, terminal, session, elicitation } = methods.client
  return client({ name: 'clew' })
    .onNotification(session.update, ({ params }) => {
      if (isListening()) heard.update(params.update)
    })
    .onRequest(session.requestPermission, ({ params, signal }) =>
      permission(params, { heard, requests, signal }),
    )
    .onRequest(elicitation.create, ({ params, signal }) =>
      elicited(params, (asked) => requests.ask({ kind: 'question', ...asked }, signal)),
    )
    .onRequest(fs.readTextFile, async ({ params }) => ({
      content: await readConfined(root, params),
    }))
    .onRequest(fs.writeTextFile, async ({ params }) => await writeConfined(root, params))
    .onRequest(terminal.create, async ({ params }) => ({
      terminalId: await terminals.create(params),
    }))
    .onRequest(terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(terminal.waitForExit, ({ params }) => terminals.wait(params.terminalId))
    .onRequest(terminal.kill, ({ params }) => terminals.kill(params.terminalId))
    .onRequest(terminal.release, ({ params }) => terminals.release(params.terminalId))
}

/**
 * C871: people allow a call once or reject it. An option that would allow more than this call is
 * never chosen, and a call that nobody could read whole is rejected (S91), for good where an agent
 * knows nothing less: to cancel would end its whole turn.
 */
async function permission(
  { toolCall, options }: RequestPermissionRequest,
  { heard, requests, signal }: Pick<Parts, 'heard' | 'requests'> & { signal: AbortSignal },
): Promise<RequestPermissionResponse> {
  const option = (kind: string) => options.find((one) => one.kind === kind)?.optionId
  const once = option('allow_once')
  const reject = option('reject_once') ?? option('reject_always')
  const chosen = (optionId: string | undefined): RequestPermissionResponse =>
    optionId === undefined
      ? { outcome: { outcome: 'cancelled' } }
      : { outcome: { outcome: 'selected', optionId } }
  const text = heard.call(toolCall)
  if (once === undefined || text.length > askedMost) return chosen(reject)
  const answer = await requests.ask({ kind: 'approval', text, choices: [] }, signal)
  if (answer === null) return chosen(undefined)
  return chosen(answer.allow ? once : reject)
}

const Field = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  title: z.string().nullish(),
  description: z.string().nullish(),
  enum: z.array(z.string()).nullish(),
  oneOf: z.array(z.object({ const: z.string(), title: z.string().nullish() })).nullish(),
})
type Field = z.infer<typeof Field>
type Ask = (asked: {
  text: string
  choices: string[]
}) => Promise<{ allow: boolean; text: string | null } | null>

/** C872: asks for one field after the other. A form that cannot be asked in words is declined. */
async function elicited(
  { mode, message, ...asked }: CreateElicitationRequest,
  ask: Ask,
): Promise<CreateElicitationResponse> {
  const form = z
    .object({ properties: z.record(z.string(), Field) })
    .safeParse('requestedSchema' in asked ? asked.requestedSchema : null)
  const fields = form.success ? Object.entries(form.data.properties) : []
  if (mode !== 'form' || fields.length === 0 || fields.length > fieldsMost)
    return { action: 'decline' }
  const content: Record<string, ElicitationContentValue> = {}
  for (const [name, field] of fields) {
    const label = fields.length === 1 ? [] : [field.title ?? field.description ?? name]
    const text = cleanText([message, ...label].join('\n'))
    const answer = await ask({ text, choices: choicesOf(field) })
    if (answer === null) return { action: 'cancel' }
    const value = answer.allow ? fieldValue(field, answer.text ?? '') : null
    if (value === null) return { action: 'decline' }
    content[name] = value
  }
  return { action: 'accept', content }
}

function choicesOf(field: Field): string[] {
  if (field.type === 'boolean') return ['Yes', 'No']
  return field.enum ?? (field.oneOf ?? []).map((one) => one.title ?? one.const)
}

/** A yes or a no, in either language; words that are neither decline. */
const truth: Readonly<Record<string, boolean>> = { yes: true, no: false }

/** Answer as the field's type wants it; null if it is none. */
function fieldValue({ type, oneOf }: Field, text: string): ElicitationContentValue | null {
  if (type === 'boolean') return truth[consentIn(text)] ?? null
  if (type === 'string') return oneOf?.find(({ title }) => title === text)?.const ?? text
  const number = Number(text.trim())
  const fits = text.trim() !== '' && (type === 'number' || Number.isInteger(number))
  return fits && Number.isFinite(number) ? number : null
}
