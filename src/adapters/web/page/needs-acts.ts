import { assertNever } from '../../../agent/domain/assert.ts'
import { present } from '../../../agent/domain/present.ts'
import type { NeedView } from '../views.ts'
import type { Client, GivenAnswer } from './client.ts'
import { usePage } from './context.ts'
import type { Words } from './language.ts'
import { aboutOf } from './needs-words.ts'
import { keyOf, snooze, wake } from './snoozed.ts'
import { heldMs } from './timers.ts'

interface Act {
  label: string
  need: NeedView
  answer?: GivenAnswer
  press?: () => unknown
  /** True if nothing is sent as long as it can be taken back. */
  isHeld?: boolean
}

/**
 * Actions that an entry takes without any words, the likeliest first; a question is left to the
 * task (C909).
 */
export function actsOf(need: NeedView, client: Client, words: Words): Act[] {
  const { kind, question, runId, workspace } = need
  const { memory, actions, needs: own } = words
  const control = (verb: 'cancel' | 'continue' | 'retry') => () =>
    client.control(runId ?? '', verb, workspace)
  const decide = (verb: 'accept' | 'reject'): Act => ({
    label: memory.verbs[verb],
    need,
    isHeld: true,
    press: () => client.decide(need, verb),
  })
  switch (kind) {
    case 'proposal':
      return [decide('accept'), decide('reject')]
    case 'approval':
      return (question?.choices ?? []).map((choice) => ({
        label: choice,
        need,
        answer: { questionId: question?.id ?? '', given: { choice }, place: need },
      }))
    case 'paused':
      return [
        { label: actions.continue, need, press: control('continue') },
        { label: actions.stop, need, press: control('cancel') },
      ]
    case 'failed': {
      const again = () => client.beginAgain(runId ?? '', null, workspace)
      return present([
        need.again && { label: own.fromThere, need, press: again },
        { label: actions.retry, need, press: control('retry') },
        { label: own.seen, need, press: () => client.see(need), isHeld: true },
      ])
    }
    case 'question': {
      const answer = { questionId: question?.id ?? '', given: { text: own.goOnWords }, place: need }
      return [{ label: own.goOn, need, answer }]
    }
    case 'unreadable':
      return []
    default:
      return assertNever(kind)
  }
}

/**
 * Does something with entries, and says so. Answers and decisions can be taken back for a moment
 * (C692); what starts or stops a task does so at once, as the task may end meanwhile.
 */
export function useDoing() {
  const { client, words } = usePage()
  return (acts: readonly Act[]) => {
    const [first] = acts
    if (first === undefined) return
    const needs = acts.map(({ need }) => need)
    const about = aboutOf(needs, words)
    const answers = acts.flatMap(({ answer }) => answer ?? [])
    if (answers.length > 0) return client.answer(answers, words.question.given(first.label, about))
    const press = () => {
      for (const act of acts) act.press?.()
    }
    const text = `${first.label} · ${about}`
    if (!first.isHeld) {
      press()
      return client.tell(text)
    }
    const hides = needs.map(keyOf)
    client.removals.remove({ path: `act ${hides}`, text, ms: heldMs, send: press, hides })
  }
}

const laterMs = { hour: 3_600_000, day: 24 * 3_600_000 }

/** Hides entries for a while; Undo shows them again. */
export function usePutOff() {
  const { client, words } = usePage()
  return (needs: readonly NeedView[], time: keyof typeof laterMs) => {
    snooze(needs, laterMs[time], client)
    client.removals.remove({
      path: `hidden ${needs.map(keyOf).join()}`,
      text: words.needs.hidden[time](aboutOf(needs, words)),
      undo: () => wake(needs, client),
    })
  }
}
