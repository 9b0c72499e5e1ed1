import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { assertNever } from '../../../agent/domain/assert.ts'
import { platformOf } from '../names.ts'
import type { NeedView } from '../views.ts'
import type { Client, GivenAnswer } from './client.ts'
import { usePage } from './context.ts'
import { Button, Formatted, PlatformLink, Time } from './controls.tsx'
import { usePageEvent } from './effects.ts'
import { spoken, type Words } from './language.ts'
import { ListPage } from './list-page.tsx'
import { Answer } from './question.tsx'
import { heldMs } from './removal.ts'
import { hashOf, routeTo } from './route.ts'
import { keyOf, snooze, waitingNow, wake } from './snoozed.ts'
import { pressName } from './state.ts'
import { fullTime, ownTime, shortTime } from './time.ts'

const linesInSidebar = 3

/** C532: count of everything that waits for a person, and its first lines, above the threads. */
export function NeedsSummary() {
  const { state, words } = usePage()
  const { now, total } = waitingNow(state)
  if (total === 0) return null
  return (
    <section class="needs" aria-labelledby="needs-title">
      <h2 class="small group">
        <a id="needs-title" class="needs-title" href={hashOf({ view: 'needs' })}>
          {words.needs.title} <span class="tag waiting">{total}</span>
        </a>
      </h2>
      <ul>
        {now.slice(0, linesInSidebar).map((need) => (
          <li key={keyOf(need)}>
            <a class="nav-link need-line one-line small" data-kind={need.kind} href={placeOf(need)}>
              <strong>{words.needs.kinds[need.kind]}</strong>{' '}
              <span dir="auto">{need.title || textOf(need, words)}</span>
            </a>
          </li>
        ))}
        {total > linesInSidebar && (
          <li>
            <a class="nav-link need-line one-line small" href={hashOf({ view: 'needs' })}>
              {words.needs.all(total)}
            </a>
          </li>
        )}
      </ul>
    </section>
  )
}

/** Address where an entry is dealt with: its thread, or the queue where no thread shows it. */
const placeOf = ({ workspace, conversationId }: NeedView): string =>
  conversationId === null ? hashOf({ view: 'needs' }) : hashOf(routeTo(workspace, conversationId))

/** Words of an entry, without the marks of their format. */
function textOf({ kind, question, text, title }: NeedView, words: Words): string {
  if (kind === 'unreadable') return words.needs.unreadable
  if (question !== null) return spoken(question.html).trim()
  return text || title || words.untitled
}

/**
 * C190, C532: everything that waits for a person, on every platform, the longest waiting first. One
 * entry is open; the keys of a mail list move through them.
 */
export function Needs() {
  const { client, state, words } = usePage()
  const { needs } = state
  const { now, later } = waitingNow(state)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const done = useRef<readonly string[]>([])
  const list = useRef<HTMLUListElement>(null)
  const { current, open, openAt } = useOpened(now, list)
  const choose = (need: NeedView): void => {
    const key = keyOf(need)
    setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
  }
  useBroughtBack(now, (keys) => {
    open(keys[0] ?? null)
    if (keys.some((key) => done.current.includes(key))) setChosen(done.current)
  })
  useQueueKeys({ now, current, list, openAt, choose })
  const selected = now.filter((need) => chosen.includes(keyOf(need)))
  const clear = (): void => {
    done.current = chosen
    setChosen([])
  }
  return (
    <ListPage
      title={words.needs.title}
      none={words.needs.none}
      count={needs === null ? null : now.length + later.length}
      problem={null}
      form={now.length > 0 && <p class="hint only-keyboard">{words.needs.keys}</p>}
    >
      {selected.length > 0 && <Together needs={selected} done={clear} />}
      <ul class="queue" ref={list}>
        {now.map((need) => (
          <Row
            key={keyOf(need)}
            need={need}
            isOpen={need === current}
            isChosen={chosen.includes(keyOf(need))}
            open={() => open(keyOf(need))}
            choose={() => choose(need)}
          />
        ))}
      </ul>
      {needs?.next != null && (
        <Button class="quiet" onClick={client.moreNeeds} label={words.needs.more(needs.total)} />
      )}
      <Later needs={later} />
    </ListPage>
  )
}

type ListRef = RefObject<HTMLUListElement | null>

/** Entry of the queue that is open; its row gets the focus as another one opens. */
function useOpened(now: readonly NeedView[], list: ListRef) {
  const [opened, setOpened] = useState<string | null>(null)
  const place = useRef(0)
  const found = now.findIndex((need) => keyOf(need) === opened)
  // Where the open entry has gone, the next one stands.
  const at = found >= 0 ? found : Math.max(0, Math.min(place.current, now.length - 1))
  place.current = at
  const current = now[at]
  const key = current && keyOf(current)
  const before = useRef(key)
  useEffect(() => {
    if (opened !== null) focusHead(list)
  }, [opened])
  useEffect(() => {
    const isNext = before.current !== undefined && before.current !== key
    if (isNext && document.activeElement === document.body) focusHead(list)
    before.current = key
  }, [key])
  return {
    current,
    open(next: string | null): void {
      setOpened(next)
      if (next === key) focusHead(list)
    },
    openAt(index: number): void {
      const need = now[Math.min(Math.max(index, 0), now.length - 1)]
      if (need !== undefined) setOpened(keyOf(need))
    },
  }
}

const focusHead = (list: ListRef): void =>
  list.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()

/** Calls `back` with the keys of the entries that Undo has just brought back to the queue (C912). */
function useBroughtBack(now: readonly NeedView[], back: (keys: readonly string[]) => void): void {
  const { needs, undos } = usePage().state
  const away = useRef<readonly string[]>([])
  const keys = now.map(keyOf)
  useEffect(() => {
    const came = keys.filter((key) => away.current.includes(key))
    if (came.length > 0) back(came)
  }, [undos])
  useEffect(() => {
    away.current = needs?.needs.map(keyOf).filter((key) => !keys.includes(key)) ?? []
  })
}

/** Pause after which a letter is a key again, in ms: people who type do not stop so long. */
const typingMs = 1_000

/**
 * Keys of the queue. Only those that move work from anywhere: all others need the focus on a row, and
 * do nothing while somebody types a sentence (C913).
 */
function useQueueKeys(queue: {
  now: readonly NeedView[]
  current: NeedView | undefined
  list: ListRef
  openAt: (index: number) => void
  choose: (need: NeedView) => void
}): void {
  const { now, current, list, openAt, choose } = queue
  const putOff = usePutOff()
  const typedAt = useRef(Number.NEGATIVE_INFINITY)
  const inOpen = (selector: string) =>
    list.current?.querySelectorAll<HTMLElement>(`.opened ${selector}`) ?? []
  const press = (choice: number) => inOpen('[data-acts] button')[choice - 1]?.click()
  const hear = (event: KeyboardEvent) => {
    const { key, target, timeStamp } = event
    // The way back from an answer, whose words stay.
    if (key === 'Escape' && isWithin(target, '.queue .opened')) return focusHead(list)
    if (current === undefined || isTyping(event)) return
    const at = now.indexOf(current)
    const rows = [...(list.current?.children ?? [])]
    const focused = rows.findIndex((row) => target instanceof Node && row.contains(target))
    const from = focused < 0 ? at : focused
    const acts: Readonly<Record<string, () => void>> = {
      x: () => choose(current),
      s: () => putOff([current], 'hour'),
      d: () => putOff([current], 'day'),
      r: () => inOpen('form textarea')[0]?.focus(),
      o: () => location.assign(placeOf(current)),
    }
    const moves: Readonly<Record<string, () => void>> = {
      j: () => openAt(from + 1),
      k: () => openAt(from - 1),
    }
    const choice = /^[1-9]$/.test(key) ? () => press(Number(key)) : undefined
    const known = focused < 0 ? undefined : (choice ?? acts[key])
    // A key is about the row that has the focus: one that is closed opens first.
    const act = moves[key] ?? (known && focused !== at ? () => openAt(focused) : known)
    const isLetter = key.length === 1
    const isSentence = isLetter && timeStamp - typedAt.current < typingMs
    if (isLetter && (act === undefined || isSentence)) typedAt.current = timeStamp
    if (act === undefined && !isSentence) return
    event.preventDefault()
    if (!isSentence) act?.()
  }
  usePageEvent('keydown', hear, true)
}

const laterMs = { hour: 3_600_000, day: 24 * 3_600_000 }

/** Hides entries for a while; Undo shows them again. */
function usePutOff(): (needs: readonly NeedView[], time: keyof typeof laterMs) => void {
  const { client, words } = usePage()
  return (needs, time) => {
    snooze(needs, laterMs[time], client)
    client.removals.remove({
      path: `hidden ${needs.map(keyOf).join()}`,
      text: words.needs.hidden[time](aboutOf(needs, words)),
      undo: () => wake(needs, client),
    })
  }
}

/** Name of what was done something with. */
const aboutOf = (needs: readonly NeedView[], words: Words): string =>
  needs.length === 1 ? needs[0]?.title || words.untitled : words.needs.several(needs.length)

/**
 * Does something with entries, and says so. Answers and decisions can be taken back for a moment (C692);
 * what starts or stops a task does so at once, as the task may end meanwhile.
 */
function useDoing(): (acts: readonly Act[]) => void {
  const { client, words } = usePage()
  return (acts) => {
    const [first] = acts
    if (first === undefined) return
    const needs = acts.map(({ need }) => need)
    const about = aboutOf(needs, words)
    const answers = acts.flatMap(({ answer }) => answer ?? [])
    if (answers.length > 0) return client.answer(answers, words.question.given(first.label, about))
    const press = (): void => {
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

/** True if a key belongs to what has the focus, or is a shortcut of the browser. */
const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  isWithin(
    target,
    '.opened, .together, details, input:not([type=checkbox]), select, textarea, dialog',
  )

const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** Buttons for all chosen entries, by what can be done with them. */
function Together({ needs, done }: { needs: readonly NeedView[]; done: () => void }) {
  const { client, words } = usePage()
  const doing = useDoing()
  const putOff = usePutOff()
  const acts = needs.flatMap((need) => actsOf(need, client, words))
  const labels = [...new Set(acts.map(({ label }) => label))]
  return (
    <div class="row together" role="group" aria-label={words.needs.together(needs.length)}>
      <strong class="small">{words.needs.together(needs.length)}</strong>
      {labels.map((label, at) => {
        const same = acts.filter((act) => act.label === label)
        return (
          <Button
            key={label}
            class={at === 0 ? 'primary' : ''}
            onClick={() => {
              doing(same)
              done()
            }}
            label={`${label} (${same.length})`}
          />
        )
      })}
      <Button
        onClick={() => {
          putOff(needs, 'day')
          done()
        }}
        label={words.needs.hide.day}
      />
    </div>
  )
}

interface Act {
  label: string
  need: NeedView
  answer?: GivenAnswer
  press?: () => unknown
  /** True if nothing is sent as long as it can be taken back. */
  isHeld?: boolean
}

/** Actions that an entry takes without any words, the likeliest first; a question is left to the task (C909). */
function actsOf(need: NeedView, client: Client, words: Words): Act[] {
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
      return [
        ...(need.again ? [{ label: own.fromThere, need, press: again }] : []),
        { label: actions.retry, need, press: control('retry') },
        { label: own.seen, need, press: () => client.see(need), isHeld: true },
      ]
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

function Row(props: {
  need: NeedView
  isOpen: boolean
  isChosen: boolean
  open: () => void
  choose: () => void
}) {
  const { need, isOpen, isChosen, open, choose } = props
  const { state, words } = usePage()
  const { kind, workspace, title, at, late, name } = need
  const shown = title || words.untitled
  return (
    <li class="need" data-need={name} data-kind={kind} data-open={isOpen}>
      <div class="entry-line">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={words.needs.choose(shown)}
          onChange={choose}
        />
        <button type="button" class="quiet wide" aria-expanded={isOpen} onClick={open}>
          <span class="tag">{words.needs.kinds[kind]}</span>
          <strong class="one-line" dir="auto">
            {shown}
          </strong>
          {!isOpen && (
            <span class="one-line hint" dir="auto">
              {ownTime(textOf(need, words), state.language)}
            </span>
          )}
        </button>
        {late && <span class="tag waiting">{words.needs.late}</span>}
        <span class="hint platform">{platformOf(workspace, words)}</span>
        <Time at={at} title={fullTime(at, state.language)}>
          {shortTime(at, Date.now(), state.language)}
        </Time>
      </div>
      {isOpen && <Opened need={need} />}
    </li>
  )
}

/** Whole text of an entry, with what can be done about it. */
function Opened({ need }: { need: NeedView }) {
  const { client, state, words } = usePage()
  const doing = useDoing()
  const putOff = usePutOff()
  const { question, conversationId, link } = need
  return (
    <div class="stack opened">
      {question === null ? (
        <p dir="auto">{ownTime(textOf(need, words), state.language)}</p>
      ) : (
        <Formatted html={question.html} />
      )}
      <Buttons need={need} />
      <div class="row small">
        {conversationId !== null && <a href={placeOf(need)}>{words.needs.openThread}</a>}
        <PlatformLink link={link} />
        {need.kind === 'question' && (
          <Button
            class="quiet"
            onClick={() => doing(actsOf(need, client, words))}
            label={words.needs.goOn}
          />
        )}
        <span class="row tight unbroken end">
          {(['hour', 'day'] as const).map((time) => (
            <Button
              key={time}
              class="quiet"
              onClick={() => putOff([need], time)}
              label={words.needs.hide[time]}
            />
          ))}
        </span>
      </div>
    </div>
  )
}

/** Entries that are put off on this device. */
function Later({ needs }: { needs: readonly NeedView[] }) {
  const { client, words } = usePage()
  if (needs.length === 0) return null
  return (
    <details>
      <summary>{words.needs.later(needs.length)}</summary>
      <ul class="stack">
        {needs.map((need) => (
          <li key={keyOf(need)} class="row unbroken">
            <span class="one-line" dir="auto">
              {textOf(need, words)}
            </span>
            <Button class="end" onClick={() => wake([need], client)} label={words.needs.showNow} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Line above an entry from a thread of any platform: its kind, place and time. */
export function Origin(props: {
  kind: string
  workspace: string
  at: number
  children: ComponentChildren
}) {
  const { kind, workspace, at, children } = props
  const { state, words } = usePage()
  return (
    <p class="row tight hint">
      <strong>{kind}</strong>
      <span>{platformOf(workspace, words)}</span>
      {children}
      <Time class="end" at={at} title={fullTime(at, state.language)}>
        {shortTime(at, Date.now(), state.language)}
      </Time>
    </p>
  )
}

/** Same buttons as in the thread. */
function Buttons({ need }: { need: NeedView }) {
  const { client, state, words } = usePage()
  const doing = useDoing()
  const { question, runId, title } = need
  const pressed = state.pressed[pressName(need)] ?? state.pressed[runId ?? '']
  if (question !== null)
    return <Answer question={question} place={need} about={title || words.untitled} />
  const acts = actsOf(need, client, words)
  if (acts.length === 0) return null
  return (
    <div class="row" data-acts="">
      {acts.map((act, at) => (
        <Button
          key={act.label}
          class={at === 0 ? 'primary' : ''}
          disabled={pressed !== undefined}
          aria-label={`${act.label}${words.colon}${title || need.text}`}
          onClick={() => doing([act])}
          label={act.label}
        />
      ))}
    </div>
  )
}
