import type { LoopInput } from '../contracts/input.ts'
import type { ContractInputs, ContractName } from '../contracts.ts'
import { requestBody, strongest, styleOf } from './forms.ts'
import { promptFor } from './prompts.ts'
import type { PromptLayout } from './rules.ts'

/** Text of a request as it leaves the model port. */
export type RequestText = <N extends ContractName>(contract: N, input: ContractInputs[N]) => string

/**
 * Returns the body of a request in the strongest form, as an endpoint gets it that takes all of it.
 * Pure: the same input gives the same bytes.
 */
export const requestTextOf =
  (model: string, layout: PromptLayout): RequestText =>
  (contract, input) => {
    const { observations = [] }: Partial<Pick<LoopInput, 'observations' | 'refusal'>> = input
    const by = observations.findLast(({ sent }) => sent !== undefined)?.sent?.by
    const shape = { form: strongest(styleOf(contract)), by }
    return JSON.stringify(requestBody(model, contract, promptFor(contract, input, layout), shape))
  }
