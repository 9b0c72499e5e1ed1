import { expect, it } from 'vitest'
import { kindOf } from '../../../src/agent/ports/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { bench } from './support.ts'

/* Words of more providers and languages for the kinds of `dialects.test.ts`. */

const error = (message: string, more = {}) => ({ error: { message, ...more } })

it.each([
  ['unknown_model', 503, error('当前分组 default 下对于模型 gpt-9 无可用渠道')],
  ['unknown_model', 400, error('foo is not a supported model')],
  ['unknown_model', 400, error('No model named foo')],
  ['unknown_model', 410, error('This model is no longer available')],
  ['unknown_model', 400, error('Das Modell existiert nicht.')],
  ['key_refused', 400, error('Missing bearer authentication in header')],
  ['key_refused', 400, error('The API key has been revoked')],
  ['key_refused', 200, { code: 401, msg: 'token expired or incorrect' }],
  ['no_credit', 403, error('Your account is out of credits')],
  ['no_credit', 429, error('Your prepayment credits are depleted.')],
  ['no_credit', 403, error('Exhausted', { code: 'FreeTierOnly', type: 'free quota exhausted' })],
  ['no_credit', 403, error('Key limit exceeded (total limit)')],
  ['filtered', 400, error('Your request was rejected as a result of our safety system.')],
  ['filtered', 451, error('blocked by guardrails')],
  ['filtered', 400, error('内容涉嫌违禁')],
  ['context_too_long', 400, error('输入长度超过限制')],
  ['context_too_long', 400, error('入力が長すぎます')],
  ['context_too_long', 400, error('Tokens in prompt exceeded the context limit')],
  ['rate_limited', 403, error('Too many concurrent requests')],
  ['rate_limited', 200, { code: 429, msg: 'too many requests' }],
  ['rate_limited', 429, error('Resource has been exhausted (e.g. check quota).')],
  ['overloaded', 424, error('Model is getting ready for inference')],
  ['overloaded', 400, error('Service temporarily unavailable')],
  ['overloaded', 400, error('Model is currently loading')],
  ['wrong_address', 404, error('Unknown request URL: POST /chat/completions')],
  ['wrong_address', 404, error('File Not Found', { code: 404, type: 'not_found_error' })],
  ['wrong_address', 404, error('Unexpected endpoint or method. (POST /chat/completions)')],
] as const)("tells %s by the provider's words under %s (C352): %j", async (kind, status, body) => {
  const { server, ask } = await bench({ form: 'function' })
  const reply = fake.raw(JSON.stringify(body), { status })
  server.on('thought', reply, reply)
  expect(kindOf(await ask('thought'))).toBe(kind)
})
