import type { IncomingHttpHeaders } from 'node:http'
import { type ContractName, contractNames } from '../../../src/agent/contracts.ts'
import type { Form } from '../../../src/agent/model/forms.ts'
import { type ChatBody, textOf } from './validate.ts'

/** One accepted request, as a script sees it. */
export interface FakeRequest {
  /** From 1, over all contracts. */
  number: number
  contract: ContractName
  form: Form
  body: ChatBody
  headers: IncomingHttpHeaders
  /** The texts of all messages. */
  prompt: string
}

/** Null when the request asks for nothing that is a contract, and `others` does not say which one it counts as. */
export function readRequest(
  number: number,
  body: ChatBody,
  headers: IncomingHttpHeaders,
  others?: ContractName,
): FakeRequest | null {
  const prompt = body.messages.map((message) => textOf(message.content)).join('\n\n')
  // The last one is due: a Decision may begin with the rules of a round (C581).
  const titles = [...prompt.matchAll(/^# Contract: (\w+)$/gm)]
  const name = titles.at(-1)?.[1] ?? body.tools?.[0]?.function.name
  const contract = contractNames.find((known) => known === name) ?? others
  if (contract === undefined) return null
  return { number, contract, form: formOf(body), body, headers, prompt }
}

function formOf({ tools, response_format: format }: ChatBody): Form {
  if (tools !== undefined)
    return tools.some((one) => one.function.strict) ? 'function' : 'plain_function'
  if (format?.type === 'json_schema') return 'schema'
  return format?.type === 'json_object' ? 'json' : 'text'
}
