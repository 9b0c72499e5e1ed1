import { assertNever } from '../../agent/domain/assert.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import type { Texts } from '../../locales/texts.ts'

/** Refusals of the API with one sentence each, by their status. Their texts are in the locales. */
const plain = {
  empty_text: 400,
  not_json: 400,
  unknown_choice: 400,
  body_too_large: 413,
  file_too_large: 413,
  wrong_content_type: 415,
  not_signed_in: 401,
  wrong_token: 401,
  sign_in_expired: 400,
  sign_in_refused: 400,
  sign_in_failed: 502,
  not_with_clew: 403,
  not_on_list: 403,
  platform_away: 503,
  too_many_attempts: 429,
  wrong_host: 403,
  cross_site: 403,
  setup_elsewhere: 403,
  not_allowed: 403,
  too_many_messages: 429,
  connectors_only: 403,
  channel_not_allowed: 403,
  unknown_hook: 404,
  wrong_signature: 401,
  event_too_large: 413,
  event_not_json: 400,
  too_many_events: 429,
  too_many_runs: 429,
  group_closed: 409,
  group_full: 409,
  group_differs: 409,
  unknown_conversation: 404,
  conversation_busy: 409,
  unknown_message: 404,
  not_newest_message: 409,
  unknown_question: 404,
  unknown_run: 404,
  unknown_schedule: 404,
  unknown_todo: 404,
  unknown_memory: 404,
  not_found: 404,
  run_without_thread: 409,
  no_plan: 409,
  changed_meanwhile: 409,
  // The same request will succeed in a moment.
  thread_opening: 503,
  internal: 500,
} as const

/** Details of the other refusals, besides their code. */
interface Details {
  text_too_long: { limit: number }
  too_many_files: { limit: number }
  bad_request: { field: string }
  unknown_fields: { fields: string }
  bad_host: { host: string }
  unreadable_file: { name: string }
  unknown_file: { name: string }
  unknown_workspace: { name: string }
  run_type_not_allowed: { type: string }
  /** A line that was not understood; `text` says why, and gives a valid one. */
  unreadable: { text: string }
  already_answered: { who: string; answer: string }
  run_ended: { status: RunStatus }
  run_not_paused: { status: RunStatus }
  run_still_live: { status: RunStatus }
  run_not_over: { status: RunStatus }
  not_begun: { last: number }
  /**
   * `kept` says what is known of the request: it was only a question, it was refused whole, or its
   * outcome is unknown.
   */
  store_unavailable: { kept: 'asked' | 'nothing' | 'perhaps' }
}

const detailed = {
  text_too_long: 413,
  too_many_files: 429,
  bad_request: 400,
  unknown_fields: 400,
  bad_host: 400,
  unreadable_file: 415,
  unknown_file: 409,
  unknown_workspace: 404,
  run_type_not_allowed: 403,
  unreadable: 400,
  already_answered: 409,
  run_ended: 409,
  run_not_paused: 409,
  run_still_live: 409,
  run_not_over: 409,
  not_begun: 409,
  store_unavailable: 503,
} as const satisfies Record<keyof Details, number>

const statuses = { ...plain, ...detailed }

type Code = Problem['code']
type Plain = { code: keyof typeof plain }
type Detailed = { [C in keyof Details]: { code: C } & Details[C] }[keyof Details]
export type Problem = Plain | Detailed

/** Thrown by a route, and answered as `{error: {code, message}}` by the app's one error handler. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.code)
    this.problem = problem
  }
}

/** Refuses a request, with the details that a sentence about this code needs. */
export function refuse<C extends Code>(
  code: C,
  ...details: C extends keyof Details ? [Details[C]] : []
): never {
  throw new ProblemError({ code, ...details[0] } as Problem)
}

export function statusOf({ code }: Pick<Problem, 'code'>): (typeof statuses)[Code] {
  return statuses[code]
}

/** Sentence for a person, in the language of `words`. */
export function sentenceFor(problem: Problem, words: Texts): string {
  const { statuses: names } = words.page
  const errors = { ...words.page.errors, ...words.problems }
  if (isPlain(problem)) return errors[problem.code]
  switch (problem.code) {
    case 'text_too_long':
    case 'too_many_files':
      return errors[problem.code](problem.limit)
    case 'bad_request':
      return errors.bad_request(problem.field)
    case 'unknown_fields':
      return errors.unknown_fields(problem.fields)
    case 'unreadable_file':
    case 'unknown_file':
    case 'unknown_workspace':
      return errors[problem.code](problem.name)
    case 'bad_host':
      return errors.bad_host(problem.host)
    case 'run_type_not_allowed':
      return errors.run_type_not_allowed(problem.type)
    case 'store_unavailable':
      return errors.store_unavailable[problem.kept]
    case 'unreadable':
      return problem.text.replaceAll('`', '')
    case 'not_begun':
      return words.core.again.notBegun(problem.last)
    case 'already_answered':
      return errors.already_answered(problem.who, problem.answer)
    case 'run_ended':
    case 'run_not_paused':
    case 'run_still_live':
    case 'run_not_over':
      return errors[problem.code](names[problem.status])
    default:
      return assertNever(problem)
  }
}

const isPlain = (problem: Problem): problem is Plain => problem.code in plain
