import { million } from '../../../agent/domain/money.ts'
import { present } from '../../../agent/domain/present.ts'
import type { RunHistory, RunStep } from '../../../agent/domain/run-history.ts'
import { nameWithin } from '../names.ts'
import { useFetched } from './api-hooks.ts'
import { usePage } from './context.ts'
import type { Words } from './language.ts'
import { useNumbers } from './numbers.ts'
import { queryOf, workspaceOf } from './route.ts'
import { fullTime, lasted, timeOfDay } from './time.ts'

/**
 * History of a run: its steps, and the changes of its plan (C209). Fetched on opening and whenever
 * the plan changes.
 */
export function RunHistoryView(props: {
  runId: string
  tick: unknown
  isOver: boolean
  /** It succeeded with steps left (C699). */
  isEarly: boolean
}) {
  const { runId, tick, isOver, isEarly } = props
  const { state, words } = usePage()
  const query = queryOf(workspaceOf(state.route))
  const path = `/api/runs/${runId}/history${query}`
  const history = useFetched<RunHistory & { currency: string }>(path, [tick], 150).value
  const { cost } = useNumbers(history?.currency)
  if (history === null) return <p class="hint">{words.loading}</p>
  const { steps, plans, again } = history
  if (steps.length === 0) return <p class="hint">{words.history.none}</p>
  return (
    <section class="history small" tabindex={0} aria-label={words.history.show}>
      <p>{totalOf(steps, cost, words)}</p>
      <ol>
        {steps.map((step, place) => (
          <li key={place}>
            <Step
              step={step}
              cost={cost}
              isEarly={isEarly}
              isProblem={failedInTheEnd(steps, place, isOver)}
            />
          </li>
        ))}
      </ol>
      {again.map(({ runId: id, step, by }) => (
        <p key={id}>{words.history.again(step, nameWithin(by, state.person.id, words))}</p>
      ))}
      {plans.length > 1 && <Plans plans={plans} />}
    </section>
  )
}

/**
 * True if a step failed for good (C698): no later call of a tool worked, or the model was asked for
 * the last time.
 */
function failedInTheEnd(steps: readonly RunStep[], place: number, isOver: boolean): boolean {
  const step = steps[place]
  if (step === undefined || !isOver) return false
  const worked = steps.slice(place).flatMap(({ calls }) => calls.filter(({ ok }) => ok === true))
  const isLost = step.calls.some(
    (call) =>
      call.ok === false && !worked.some((one) => one.tool === call.tool && one.step > call.step),
  )
  return isLost || (step.problem !== null && step.what === null && place === steps.length - 1)
}

/** Shorter waits for the model are no news, in ms. */
const waitLeast = 5_000

/** Writes a cost with its currency. */
type WriteCost = (amount: number) => string

function totalOf(steps: readonly RunStep[], write: WriteCost, { history }: Words): string {
  const sum = (of: (step: RunStep) => number) => steps.reduce((all, step) => all + of(step), 0)
  const total = {
    ms: sum(({ ms }) => ms),
    tokens: sum(({ tokens }) => tokens),
    cost: sum(({ cost }) => cost),
  }
  return [history.steps(steps.length), ...factsOf(total, write, history)].join(' · ')
}

/** Time, tokens and cost of a step, in words. `cost` is in millionths. */
function factsOf(
  { ms, tokens, cost }: Pick<RunStep, 'ms' | 'tokens' | 'cost'>,
  write: WriteCost,
  history: Words['history'],
): string[] {
  return present([
    lasted(ms),
    tokens > 0 && history.tokens(tokens),
    cost > 0 && write(cost / million),
  ])
}

function Step(props: { step: RunStep; cost: WriteCost; isProblem: boolean; isEarly: boolean }) {
  const { step, cost, isProblem, isEarly } = props
  const { state, words } = usePage()
  const { history } = words
  const failed = step.calls.some(({ ok }) => ok === false)
  return (
    <details class={isProblem ? 'problem' : ''}>
      <summary>
        <time title={fullTime(step.at, state.language)}>{timeOfDay(step.at, state.language)}</time>
        <span>
          <strong dir="auto">{titleOf(step, isEarly, history)}</strong>
          {failed && ` · ${history.outcome.failed}`}{' '}
          <span class="hint">{factsOf(step, cost, history).join(' · ')}</span>
        </span>
      </summary>
      <div class="stack">
        {notesOf(step, words, state.person.id).map((note) => (
          <p key={note} dir="auto">
            {note}
          </p>
        ))}
        {step.calls.map((call) => (
          <Call key={call.step} call={call} />
        ))}
      </div>
    </details>
  )
}

function titleOf(
  { what, calls, waits }: RunStep,
  isEarly: boolean,
  history: Words['history'],
): string {
  // A call that waits for approval has not been made.
  const isAsked = calls.every(({ ok }) => ok === null) && waits.at(-1)?.ms === null
  if (calls.length > 0)
    return history[isAsked ? 'wants' : 'used']([...new Set(calls.map(({ tool }) => tool))])
  if (what === 'task_done' && isEarly) return history.endedEarly
  return what === null ? history.thinking : history.what[what]
}

/** Notes on a step besides its calls. */
function notesOf(
  { what, item, cause, model, retries, problem, waits, said }: RunStep,
  words: Words,
  person: string,
): string[] {
  const { history } = words
  const nameOf = (by: NonNullable<RunStep['cause']>['by']) =>
    by === null ? null : nameWithin(by, person, words)
  return present([
    item !== null && history.item(item),
    cause !== null && history.cause[cause.kind](nameOf(cause.by)),
    model !== null && history.model(model),
    problem !== null &&
      history[what === null ? 'triedToEnd' : 'tried'](retries, history.failures[problem]),
    ...waits
      .filter(matters)
      .map(
        (wait) =>
          history.wait[wait.for](wait.ms === null ? null : lasted(wait.ms)) +
          reasonIn(wait.reason, words),
      ),
    said.length > 0 && history.said(said.length),
  ])
}

const matters = (wait: RunStep['waits'][number]) =>
  wait.for !== 'model' || wait.ms === null || wait.ms >= waitLeast

/** Reason in words; empty if there are none for it (C193). */
function reasonIn(reason: string | null, { history: { reasons } }: Words): string {
  if (reason === null) return ''
  const words = /_(?:day|month)$/.test(reason)
    ? reasons.allowance
    : Object.entries(reasons).find(([name]) => name === reason)?.[1]
  return words === undefined ? '' : ` (${words})`
}

function outcomeOf({ unknown, ok }: RunStep['calls'][number]) {
  if (unknown) return 'unknown'
  if (ok === null) return 'open'
  return ok ? 'worked' : 'failed'
}

function Call({ call }: { call: RunStep['calls'][number] }) {
  const { state, words } = usePage()
  const { history } = words
  const { tool, input, result, ms, approval } = call
  const outcome = outcomeOf(call)
  const who = approval?.by ? nameWithin(approval.by, state.person.id, words) : null
  const facts = present([
    history.outcome[outcome],
    ms !== null && lasted(ms),
    approval !== null && history.approval(who, approval.granted, approval.isEdited),
  ])
  return (
    <section data-outcome={outcome}>
      <p>
        <strong>{tool}</strong> · {facts.join(' · ')}
      </p>
      <dl>
        <Detail name={history.input} text={input} />
        <Detail name={history.result} text={result} />
      </dl>
    </section>
  )
}

const Detail = ({ name, text }: { name: string; text: string | null }) =>
  text === null ? null : (
    <>
      <dt>{name}</dt>
      <dd>
        <pre tabindex={0} dir="auto">
          {text}
        </pre>
      </dd>
    </>
  )

/** Versions of the plan, each as its changes with their cause. */
function Plans({ plans }: { plans: RunHistory['plans'] }) {
  const { state, words } = usePage()
  const { history } = words
  const causeOf = ({ by, because }: RunHistory['plans'][number], place: number) => {
    if (by !== null) return history.plan.by(nameWithin(by, state.person.id, words))
    if (because !== null)
      return history.plan.because(nameWithin(because.author, state.person.id, words), because.text)
    return place === 0 ? history.plan.first : history.plan.own
  }
  return (
    <>
      <h2>{history.plan.title}</h2>
      <ol>
        {plans.map((plan, place) => (
          <li class="version" key={place}>
            <time>{timeOfDay(plan.at, state.language)}</time>
            <div>
              <p dir="auto">{causeOf(plan, place)}</p>
              <ul>
                {(place === 0 ? plan.items : plan.added).map((text) => (
                  <li key={text} dir="auto">
                    <span aria-hidden>+ </span>
                    <ins>{text}</ins>
                  </li>
                ))}
                {plan.dropped.map((text) => (
                  <li key={text} dir="auto">
                    <span aria-hidden>− </span>
                    <del>{text}</del>
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
