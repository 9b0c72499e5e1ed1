import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { ContractName } from '../contracts.ts'
import { clean } from './fence.ts'
import { type Prompt, userText } from './prompts.ts'
import { schemaOf } from './schema.ts'

/**
 * How an endpoint is made to answer with one JSON value, best first:
 * `function` one function, forced by name, with a strict schema; `json` a JSON object in text by `response_format`;
 * `text` a JSON object in text because the prompt says so.
 */
const forms = ['function', 'json', 'text'] as const
export type Form = (typeof forms)[number]

/** The form to try when an endpoint cannot do `form`; null when there is none left. */
export function formAfter(form: Form): Form | null {
  return forms[forms.indexOf(form) + 1] ?? null
}

/**
 * Remembers which form an endpoint's model can do, so that it is found out once and not once a process.
 *
 * Contract: `key` names the model and its host; `get` answers what the last `set` of the key was, or null; neither
 * throws nor waits. An implementation that stores it writes in the background.
 */
export interface FormMemory {
  get(key: string): Form | null
  set(key: string, form: Form): void
}

export function createFormMemory(): FormMemory {
  const known = new Map<string, Form>()
  return {
    get: (key) => known.get(key) ?? null,
    set: (key, form) => void known.set(key, form),
  }
}

/**
 * What is asked of a model under a contract: one JSON value (`forced`), plain words (`plain`, R61), or words and calls as it
 * likes (`free`).
 */
export type Style = 'forced' | 'plain' | 'free'

export function styleOf(contract: ContractName): Style {
  if (contract === 'summary') return 'plain'
  return contract === 'act' ? 'free' : 'forced'
}

type Body = ChatCompletionCreateParamsNonStreaming
type Message = Body['messages'][number]

/**
 * The request for a contract in one form. Only what every endpoint knows is sent: no temperature, no limits, and
 * `tool_choice` only together with `tools` (C14, I9).
 */
export function requestBody(model: string, contract: ContractName, prompt: Prompt, form: Form): Body {
  const style = styleOf(contract)
  const rules = formRules(contract, style, form)
  const system: Message = { role: 'system', content: rules === '' ? prompt.system : `${prompt.system}\n\n${rules}` }
  if (style === 'plain') return { model, messages: [system, ...asText(prompt)] }
  if (form !== 'function')
    return {
      model,
      messages: [system, ...asText(prompt)],
      ...(form === 'json' && { response_format: { type: 'json_object' as const } }),
    }
  const messages = [system, ...withCalls(prompt)]
  if (style === 'free') {
    const tools = (prompt.tools ?? []).map(({ name, description }) => toolFunction(name, description))
    return { model, messages, ...(tools.length > 0 && { tools, tool_choice: 'auto' as const }) }
  }
  const description = `The answer under the contract ${contract}.`
  const parameters = { ...schemaOf(contract) }
  return {
    model,
    messages,
    tools: [{ type: 'function', function: { name: contract, description, parameters, strict: true } }],
    tool_choice: { type: 'function', function: { name: contract } },
  }
}

/** Every tool takes one line or text; its grammar is in its description. */
function toolFunction(name: string, description: string) {
  const parameters = {
    type: 'object',
    properties: { input: { type: 'string' } },
    required: ['input'],
    additionalProperties: false,
  }
  return { type: 'function' as const, function: { name, description, parameters, strict: true } }
}

const asText = (prompt: Prompt): Message[] => [{ role: 'user', content: userText(prompt) }]

/** R52, C15: calls as the endpoint knows them: the message with all call ids first, then one message a call, always. */
function withCalls(prompt: Prompt): Message[] {
  const messages: Message[] = []
  let words: string[] = [prompt.context]
  for (const part of prompt.transcript) {
    if (typeof part === 'string') {
      words.push(part)
      continue
    }
    if (words.length > 0) messages.push({ role: 'user', content: words.join('\n\n') })
    words = []
    messages.push({
      role: 'assistant',
      content: part.said === null ? null : clean(part.said),
      tool_calls: part.calls.map(({ id, tool, input }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify({ input: input.toWellFormed() }) },
      })),
    })
    for (const { id, result } of part.calls) messages.push({ role: 'tool', tool_call_id: id, content: result })
  }
  messages.push({ role: 'user', content: [...words, prompt.tail].join('\n\n') })
  return messages
}

function formRules(contract: ContractName, style: Style, form: Form): string {
  if (style === 'plain' || (style === 'free' && form === 'function')) return ''
  if (form === 'function') return `Answer only by calling the function \`${contract}\`, once.`
  return `Answer with one JSON object and nothing else: no words around it, no list. It must satisfy this JSON schema:\n${JSON.stringify(schemaOf(contract))}`
}
