import type { FailureKind } from '../domain/model-failure.ts'

/** What a failure means for whoever runs Clew: what the endpoint does, and what to change. Log, `/healthz` and doctor say the same (C91). */
export const advice: Readonly<Record<FailureKind, { does: string; mend: string }>> = {
  key_refused: {
    does: 'refuses the API key',
    mend: 'Check OPENAI_API_KEY, OPENAI_BASE_URL and the access to the model.',
  },
  no_credit: {
    does: 'has no credit left on this account',
    mend: 'Top the account up or raise its limit there, or set OPENAI_API_KEY of another one.',
  },
  unknown_model: {
    does: 'does not know the model',
    mend: 'Check OPENAI_MODEL, AGENT_DECISION_MODEL and OPENAI_BASE_URL.',
  },
  rate_limited: {
    does: 'takes no more requests for now',
    mend: 'Clew waits and goes on by itself. If it happens often, raise the limit there or lower AGENT_RUNS_AT_ONCE.',
  },
  overloaded: {
    does: 'is overloaded or out of order',
    mend: 'Clew waits and goes on by itself. If it lasts, look at its status page or log, or set another OPENAI_MODEL.',
  },
  unreachable: {
    does: 'cannot be reached',
    mend: 'Clew goes on by itself when it can. Check OPENAI_BASE_URL, the network and whether the server runs.',
  },
  timed_out: {
    does: 'does not answer in time',
    mend: 'Clew tries again by itself. A slow model needs more OPENAI_TIMEOUT_SECONDS and AGENT_DECISION_TIMEOUT_SECONDS.',
  },
  context_too_long: {
    does: 'finds a request too long for the model',
    mend: 'Set an OPENAI_MODEL with a larger context window, or give the local server a larger one.',
  },
  filtered: {
    does: 'refused a request by its content filter',
    mend: 'Other words may pass; the filter is set at the provider.',
  },
  reply_unusable: {
    does: 'gave an answer that cannot be used',
    mend: '`npm run doctor` tries what the model can do; another OPENAI_MODEL may follow instructions better.',
  },
}
