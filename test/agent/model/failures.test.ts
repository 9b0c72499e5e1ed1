import { expect, it } from 'vitest'
import { kindOf } from '../../../src/agent/ports/model.ts'
import { providerErrors } from '../../fakes/openai/provider-errors.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { bench } from './support.ts'

it.each(providerErrors)('tells %s apart: %s (C91)', async (kind, _, reply) => {
  const { server, ask } = await bench({ form: 'function' })
  const requests = kind === 'context_too_long' ? [reply, reply] : [reply]
  server.on('thought', ...requests)
  expect(kindOf(await ask('thought'))).toBe(kind)
  expect(server.requests).toHaveLength(requests.length)
})

it('knows an endpoint that nobody serves, and one that hangs (C91)', async () => {
  const hangs = await bench({ timeoutMs: 50 })
  hangs.server.on('thought', fake.hang())
  expect(kindOf(await hangs.ask('thought'))).toBe('timed_out')
  const gone = await bench()
  await gone.server.close()
  expect(kindOf(await gone.ask('thought'))).toBe('unreachable')
})
