import { requestBody } from '../../src/agent/model/forms.ts'
import { promptFor } from '../../src/agent/model/prompts.ts'
import { inputs } from '../agent/model/inputs.ts'
import { tokensOf } from './economy/meter.ts'
import { table } from './table.ts'

/*
 * `npm run bench -- prompts`: tokens of a request under each contract, for the small task of `test/agent/model/inputs.ts`: the rules
 * of the contract alone, and the whole request as it is sent, with the rules and functions that its strategy shares.
 */
const names = Object.keys(inputs) as (keyof typeof inputs)[]
const rowOf = (name: keyof typeof inputs): string[] => {
  const { system } = promptFor(name, inputs[name], 'apart')
  const body = requestBody('m', name, promptFor(name, inputs[name]), { form: 'function' })
  return [
    name,
    ...[tokensOf({ messages: [system] }), tokensOf(body)].map(({ length }) => `${length}`),
  ]
}
console.log(table(['contract', 'its rules', 'a small request'], names.map(rowOf)))
