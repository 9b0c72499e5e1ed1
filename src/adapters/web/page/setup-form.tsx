import { useEffect, useRef, useState } from 'preact/hooks'
import type { SetupFormView, SetupOutcomeView } from '../views.ts'
import { keep, recall } from './browser-storage.ts'
import { usePage } from './context.ts'
import { Button } from './controls.tsx'
import { keeper } from './kept.ts'
import { problemOf } from './problem.ts'
import { Findings, Linked } from './setup-findings.tsx'

type Step = SetupFormView['steps'][number]
type Field = Step['fields'][number]

/** Longest wait for Clew after a restart, in ms. */
const backWithinMs = 60_000
const everyMs = 1_000

const isSet = ({ fields }: Step) => fields.some((field) => field.isSet)

/** Parts that were skipped in this browser, until they are asked for again. */
const storage = 'skipped'
const skippedParts = (): string[] => (recall(storage) ?? '').split(' ')
const skip = (part: string, isSkipped: boolean) => {
  const others = skippedParts().filter((one) => one !== part)
  keep(storage, (isSkipped ? [...others, part] : others).join(' ').trim())
}

/** What is typed into a part's form; secrets are in it, so that it stays in this tab alone. */
const useTyped = keeper<Readonly<Record<string, string>>>()

/**
 * Steps that can be set on the page, and the one that is open: the first that is neither set nor
 * skipped (C563). `refused` is the code of why there are none.
 */
export function useSetupForm() {
  const { client, state } = usePage()
  const [form, setForm] = useState<SetupFormView | null>(null)
  const [refused, setRefused] = useState<'setup_elsewhere' | 'not_found' | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, SetupOutcomeView>>>({})
  const refresh = async () => {
    const answer = await client.api.ask<SetupFormView>('GET', '/api/setup/form')
    if (answer.kind === 'ok') setForm(answer.value)
    const code = answer.kind === 'refused' ? answer.code : null
    if (code === 'setup_elsewhere' || code === 'not_found') setRefused(code)
    return answer.kind === 'ok' ? answer.value : null
  }
  useEffect(() => void refresh(), [state.language, state.connection])
  const skipped = skippedParts()
  const next = form?.steps.find((step) => !isSet(step) && !skipped.includes(step.part))?.part
  return {
    form,
    refused,
    refresh,
    open: chosen ?? next ?? null,
    /** Opens the form of a part, or none. */
    choose(part: string | null): void {
      if (part !== null) skip(part, false)
      setChosen(part)
    },
    outcomes,
    tried(part: string, outcome: SetupOutcomeView): void {
      setOutcomes((now) => ({ ...now, [part]: outcome }))
    },
    /** Drops what came of trials, for a new look at everything. */
    forget: () => setOutcomes({}),
    /** Leaves a part as it is, without what came of trials; no other one opens unasked (C702). */
    leave(step: Step): void {
      const { part } = step
      if (!isSet(step)) skip(part, true)
      setOutcomes(({ [part]: _, ...others }) => others)
      setChosen('')
    },
  }
}
export type SetupFormState = ReturnType<typeof useSetupForm>

/** Step of Set up: a button that opens its form, and what came of the last trial. */
export function Connect(props: { step: Step; form: SetupFormState; saved: () => Promise<void> }) {
  const { step, form, saved } = props
  const { form: words } = usePage().words.setup
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = form.open === step.part
  const name = step.part === 'model' ? 'model' : 'other'
  const outcome = form.outcomes[step.part]
  const leave = () => {
    form.leave(step)
    button.current?.focus()
  }
  const done = async (answer: SetupOutcomeView) => {
    form.tried(step.part, answer)
    if (!answer.saved) return
    // Who changed one thing was not led through all of them.
    form.choose(isSet(step) ? '' : null)
    button.current?.focus()
    await saved()
  }
  return (
    <div class="stack connect">
      <button
        type="button"
        ref={button}
        class="start"
        aria-expanded={isOpen}
        onClick={() => form.choose(isOpen ? '' : step.part)}
      >
        {words[isSet(step) ? 'change' : 'connect'][name](step.title)}
      </button>
      {isOpen && <StepForm step={step} done={done} leave={leave} />}
      <div role="status" class="stack">
        {outcome && <Outcome outcome={outcome} step={step} />}
      </div>
    </div>
  )
}

/** Result of a trial, at the button that began it, with the reasons if it failed. */
function Outcome({ outcome, step }: { outcome: SetupOutcomeView; step: Step }) {
  const { form: words } = usePage().words.setup
  const { saved, lines, findings } = outcome
  const { after } = step
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [outcome])
  const shown = saved && after !== null ? [...lines, after] : lines
  const [failed, isGoingOn] = [shown.length === 0, isSet(step)]
  return (
    <div ref={box} class="stack">
      {failed && <p class="problem">{isGoingOn ? words.failedRunning : words.failed}</p>}
      {failed && <Findings findings={findings.filter(({ verdict }) => verdict === 'bad')} isForm />}
      {shown.map((line) => (
        <p key={line}>
          <Linked text={line} />
        </p>
      ))}
    </div>
  )
}

function StepForm(props: {
  step: Step
  done: (outcome: SetupOutcomeView) => Promise<void>
  leave: () => void
}) {
  const { step, done, leave } = props
  const { client, words: all } = usePage()
  const { form: words } = all.setup
  const {
    value: values,
    keep: change,
    drop,
  } = useTyped(step.part, { choice: step.choices[0]?.id ?? '' })
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const status = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failed !== null) status.current?.scrollIntoView({ block: 'nearest' })
  }, [failed])
  const set = (name: string, value: string) => change((now) => ({ ...now, [name]: value }))
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setFailed(null)
    const path = `/api/setup/form/${step.part}`
    const answer = await client.api.ask<SetupOutcomeView>('POST', path, { values })
    setBusy(false)
    setFailed(problemOf(answer, all))
    if (answer.kind !== 'ok') return
    if (answer.value.saved) drop()
    await done(answer.value)
  }
  return (
    <form class="stack" onSubmit={submit}>
      {step.choices.length > 0 && (
        <Choices choices={step.choices} chosen={values.choice} choose={(id) => set('choice', id)} />
      )}
      {!values.choice && (
        <>
          <Lead step={step} />
          {step.fields.map((field) => (
            <Value
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              set={(value) => set(field.name, value)}
            />
          ))}
        </>
      )}
      <div class="row">
        <Button type="submit" class="primary" disabled={busy} label={words.submit} />
        <Button
          class="quiet"
          disabled={busy}
          onClick={() => {
            // What was typed into a part that is skipped stays.
            if (isSet(step)) drop()
            leave()
          }}
          label={isSet(step) ? all.actions.cancel : words.skip}
        />
      </div>
      <div ref={status} class={failed === null ? 'hint' : 'hint problem'} role="status">
        {(busy ? words.trying : (failed ?? '')).split('\n').map((line) => (
          <p key={line}>
            <Linked text={line} />
          </p>
        ))}
      </div>
    </form>
  )
}

/** First steps on the platform, with the link to where its app is made. */
function Lead({ step: { lead, link, part } }: { step: Step }) {
  const { form: words } = usePage().words.setup
  return (
    <>
      {lead.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      {link !== null && (
        <p>
          <a class="button" href={link} target="_blank" rel="noreferrer">
            {part === 'slack' ? words.open.slack : words.open.other}
          </a>
        </p>
      )}
    </>
  )
}

function Choices(props: {
  choices: Step['choices']
  chosen: string | undefined
  choose: (id: string) => void
}) {
  const { choices, chosen, choose } = props
  const { form: words } = usePage().words.setup
  return (
    <fieldset class="stack tight">
      <legend class="small">{words.choices}</legend>
      {[...choices, { id: '', label: words.other }].map(({ id, label }) => (
        <label class="choice row" key={id}>
          <input type="radio" name="choice" checked={chosen === id} onChange={() => choose(id)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Value(props: { field: Field; value: string; set: (value: string) => void }) {
  const { field, value, set } = props
  const { form: words } = usePage().words.setup
  const shared = {
    id: field.name,
    value,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement }) => set(event.currentTarget.value),
  }
  return (
    <div class="stack tight">
      <label class="small row tight" for={field.name}>
        {field.label}
        {/^[A-Z_]+$/.test(field.name) && <code class="end">{field.name}</code>}
      </label>
      {field.isSecret ? (
        <input
          type="password"
          placeholder={words[field.isSet ? 'isSet' : 'isNotSet']}
          {...shared}
        />
      ) : (
        <input {...shared} />
      )}
    </div>
  )
}

/** Way to use what was saved: starts Clew again, and says when it answers. */
export function Restart({ form: { form, refresh } }: { form: SetupFormState }) {
  const { client, words: all } = usePage()
  const { form: words } = all.setup
  const [phase, setPhase] = useState<'idle' | 'restarting' | 'restarted' | 'notBack'>('idle')
  const restart = async () => {
    setPhase('restarting')
    await client.api.ask('POST', '/api/setup/restart')
    for (let left = backWithinMs; left > 0; left -= everyMs) {
      await new Promise((resolve) => setTimeout(resolve, everyMs))
      const now = await refresh()
      if (now !== null && now.startedAt !== form?.startedAt) return setPhase('restarted')
    }
    setPhase('notBack')
  }
  const problem = form?.problem ?? null
  if (phase === 'idle' && problem === null && form?.isWaiting !== true) return null
  const text = phase === 'idle' ? words.waiting : words[phase]
  return (
    <section class="card part stack" data-part="restart">
      <p role="status">
        <Linked text={problem === null ? text : words.notUsed(problem)} />
      </p>
      {phase === 'idle' && problem === null && (
        <>
          <div class="row">
            <Button class="primary" onClick={() => void restart()} label={words.restart} />
          </div>
          <p class="hint">
            <Linked text={words.byHand} />
          </p>
        </>
      )}
    </section>
  )
}
