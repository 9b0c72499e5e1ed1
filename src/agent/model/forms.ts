import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { ToolCard } from '../contracts/input.ts'
import type { ContractName } from '../contracts.ts'
import { clean } from './fence.ts'
import { parseObject } from './json-text.ts'
import { type Prompt, userText } from './prompts.ts'
import { schemaOf } from './schema.ts'
import { descriptionOf } from './tool-block.ts'

/**
 * How an endpoint is made to answer with one JSON value, best first:
 * `function` one function, forced by name, with a strict schema; `json` a JSON object in text by `response_format`;
 * `text` a JSON object in text because the prompt says so.
 */
export const forms = ['function', 'json', 'text'] as const
export type Form = (typeof forms)[number]

/** Which form each model can do, by model and host, so that it is found out once. */
export interface KnownForms {
  get(key: string): Form | undefined
  set(key: string, form: Form): unknown
}

/** The form to try when an endpoint cannot do `form`; null when there is none left. */
export function formAfter(form: Form): Form | null {
  return forms[forms.indexOf(form) + 1] ?? null
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
    const tools = (prompt.tools ?? []).map(toolFunction)
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

/** Clew's tools take one line or text, with the grammar in the description; a server's take what its schema says. */
function toolFunction(card: ToolCard) {
  const { name, origin } = card
  // Strict mode takes only a part of JSON Schema, so a server's schema goes without it and is checked by the tool.
  if (origin !== undefined) {
    const parameters = { ...origin.schema }
    return { type: 'function' as const, function: { name, description: descriptionOf(card, false), parameters } }
  }
  const { description } = card
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
        function: { name: tool, arguments: argumentsOf(input, tool, prompt.tools) },
      })),
    })
    for (const { id, result } of part.calls) messages.push({ role: 'tool', tool_call_id: id, content: result })
  }
  messages.push({ role: 'user', content: [...words, prompt.tail].join('\n\n') })
  return messages
}

/** As the endpoint knows the call: an object of the server's schema, or one that holds the line. */
function argumentsOf(input: string, tool: string, cards: readonly ToolCard[] = []): string {
  const text = input.toWellFormed()
  const isForeign = cards.some(({ name, origin }) => name === tool && origin !== undefined)
  return isForeign && parseObject(text) !== null ? text : JSON.stringify({ input: text })
}

function formRules(contract: ContractName, style: Style, form: Form): string {
  if (style === 'plain' || (style === 'free' && form === 'function')) return ''
  if (form === 'function') return `Answer only by calling the function \`${contract}\`, once.`
  return `Answer with one JSON object and nothing else: no words around it, no list. It must satisfy this JSON schema:\n${JSON.stringify(schemaOf(contract))}`
}
