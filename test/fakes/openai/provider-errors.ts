import type { FailureKind } from '../../../src/agent/domain/model-failure.ts'
import * as fake from './replies.ts'

const body = (status: number, error: object, headers: Record<string, string> = {}) =>
  fake.raw(JSON.stringify(error), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
const error = (
  message: string,
  type: string | null,
  code: string | number | null = null,
  param: string | null = null,
) => ({
  error: { message, type, param, code },
})

/** Each as its provider documents it or as it is quoted in its own issues; places are in `failures.ts`. */
export const providerErrors: (readonly [FailureKind, string, fake.Reply])[] = [
  [
    'key_refused',
    'OpenAI',
    body(
      401,
      error('Incorrect API key provided: sk-x.', 'invalid_request_error', 'invalid_api_key'),
    ),
  ],
  [
    'key_refused',
    'Anthropic',
    body(401, { type: 'error', ...error('invalid x-api-key', 'authentication_error') }),
  ],
  [
    'key_refused',
    'OpenAI, no access',
    body(403, error('Country not supported', 'request_forbidden')),
  ],
  ['key_refused', 'vLLM', body(401, { error: 'Unauthorized' })],
  [
    'key_refused',
    'Google',
    body(400, error('API key not valid. Please pass a valid API key.', null, 400)),
  ],
  [
    'no_credit',
    'OpenAI',
    body(429, error('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota')),
  ],
  [
    'no_credit',
    'OpenAI',
    body(429, error('No credit', 'insufficient_quota', 'credit_balance_exhausted')),
  ],
  [
    'no_credit',
    'Anthropic',
    body(400, error('Your credit balance is too low to access.', 'invalid_request_error')),
  ],
  ['no_credit', 'Anthropic', body(402, error('Payment required', 'billing_error'))],
  ['no_credit', 'OpenRouter', body(402, error('Insufficient credits', null, 402))],
  [
    'unknown_model',
    'OpenAI',
    body(404, error('The model `x` does not exist', 'invalid_request_error', 'model_not_found')),
  ],
  [
    'unknown_model',
    'Ollama',
    body(404, error('model "x" not found, try pulling it first', 'api_error')),
  ],
  [
    'unknown_model',
    'vLLM',
    body(404, error('The model `x` does not exist.', 'NotFoundError', 404)),
  ],
  [
    'unknown_model',
    'OpenRouter',
    body(400, { error: { code: 400, message: 'x/y is not a valid model ID' } }),
  ],
  [
    'rate_limited',
    'OpenAI',
    body(429, error('Rate limit reached', 'requests', 'rate_limit_exceeded')),
  ],
  [
    'rate_limited',
    'Anthropic',
    body(429, error('Too many requests', 'rate_limit_error'), { 'retry-after': '7' }),
  ],
  [
    'overloaded',
    'OpenAI',
    body(503, error('Slow down', 'service_unavailable_error', 'server_is_overloaded')),
  ],
  ['overloaded', 'Anthropic', body(529, error('Overloaded', 'overloaded_error'))],
  ['overloaded', 'llama.cpp', body(503, error('Loading model', 'unavailable_error', 503))],
  [
    'overloaded',
    'OpenRouter, under 200',
    body(200, { error: { code: 502, message: 'Provider returned error' } }),
  ],
  [
    'overloaded',
    'a proxy',
    fake.raw('<html>502</html>', { status: 502, headers: { 'content-type': 'text/html' } }),
  ],
  ['overloaded', 'a body that is not JSON', fake.raw('{"choices": [')],
  ['timed_out', 'a gateway', body(504, error('Gateway timeout', null))],
  ['unreachable', 'a line that breaks', fake.cutConnection()],
  ['unreachable', 'a line that breaks within the answer', fake.halfBody()],
  [
    'context_too_long',
    'OpenAI',
    body(
      400,
      error(
        "This model's maximum context length is 8192",
        'invalid_request_error',
        'context_length_exceeded',
      ),
    ),
  ],
  [
    'context_too_long',
    'vLLM',
    body(
      400,
      error(
        "However, the model's context length is only 1024 tokens",
        'BadRequestError',
        400,
        'input_tokens',
      ),
    ),
  ],
  [
    'context_too_long',
    'llama.cpp',
    body(400, error('the request exceeds', 'exceed_context_size_error', 400)),
  ],
  [
    'context_too_long',
    'Anthropic',
    body(400, error('prompt is too long: 213462 tokens', 'invalid_request_error')),
  ],
  [
    'context_too_long',
    'Anthropic',
    body(413, error('Request exceeds the maximum size', 'request_too_large')),
  ],
  [
    'filtered',
    'Azure OpenAI',
    body(400, {
      error: {
        ...error('The response was filtered', null, 'content_filter', 'prompt').error,
        status: 400,
      },
    }),
  ],
  [
    'filtered',
    'OpenRouter',
    body(403, {
      error: {
        code: 403,
        message: 'Your chosen model requires moderation and your input was flagged',
      },
    }),
  ],
  ['filtered', 'OpenAI, while it answers', fake.filtered()],
  ['filtered', 'OpenAI, by the model itself', fake.refusal()],
  [
    'reply_unusable',
    'a request that it finds wrong',
    body(400, error('bad', 'invalid_request_error')),
  ],
  [
    'wrong_address',
    'a page',
    fake.raw('<html>Log in</html>', { headers: { 'content-type': 'text/html' } }),
  ],
  ['reply_unusable', 'words that are no call', fake.rawArguments('{"a')],
]
