import type { IncomingHttpHeaders } from 'node:http'
import { type ContractName, contractNames } from '../../../src/agent/contracts.ts'
import { type ChatBody, textOf } from './validate.ts'

/** One accepted request, as a script sees it. */
export interface FakeRequest {
  /** From 1, over all contracts. */
  number: number
  contract: ContractName
  form: 'function' | 'json' | 'text'
  body: ChatBody
  headers: IncomingHttpHeaders
  /** The texts of all messages. */
  prompt: string
}

/** Null when the request asks for nothing that is a contract. */
export function readRequest(number: number, body: ChatBody, headers: IncomingHttpHeaders): FakeRequest | null {
  const prompt = body.messages.map((message) => textOf(message.content)).join('\n\n')
  const name = /^# Contract: (\w+)$/m.exec(prompt)?.[1] ?? body.tools?.[0]?.function.name
  const contract = contractNames.find((known) => known === name)
  if (contract === undefined) return null
  const form = body.tools !== undefined ? 'function' : body.response_format?.type === 'json_object' ? 'json' : 'text'
  return { number, contract, form, body, headers, prompt }
}
