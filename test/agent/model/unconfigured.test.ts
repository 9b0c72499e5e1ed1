import { expect, it } from 'vitest'
import { contractNames } from '../../../src/agent/contracts.ts'
import { createUnconfiguredModel } from '../../../src/agent/model/unconfigured.ts'
import { inputs } from './inputs.ts'

it.each(contractNames)('answers %s with not_configured (R44)', async (contract) => {
  const reply = await createUnconfiguredModel().call(
    contract,
    inputs[contract],
    new AbortController().signal,
  )
  expect(reply).toEqual({
    ok: false,
    code: 'not_configured',
    usage: { promptTokens: 0, completionTokens: 0 },
  })
})
