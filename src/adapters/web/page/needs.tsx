import { useRef, useState } from 'preact/hooks'
import { platformOf } from '../names.ts'
import type { NeedView } from '../views.ts'
import { usePage } from './context.ts'
import { Button, Formatted, PlatformLink, Time } from './controls.tsx'
import { ListPage } from './list-page.tsx'
import { actsOf, useDoing, usePutOff } from './needs-acts.ts'
import { useBroughtBack, useOpened, useQueueKeys } from './needs-keys.ts'
import { placeOf, textOf } from './needs-words.ts'
import { Answer } from './question.tsx'
import { backAt, keyOf, waitingNow, wake } from './snoozed.ts'
import { pressName } from './state.ts'
import { fullTime, ownTime, shortTime } from './time.ts'

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
  const choose = (need: NeedView) => {
    const key = keyOf(need)
    setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
  }
  useBroughtBack(now, (keys) => {
    open(keys[0] ?? null)
    if (keys.some((key) => done.current.includes(key))) setChosen(done.current)
  })
  useQueueKeys({ now, current, list, openAt, choose })
  const selected = now.filter((need) => chosen.includes(keyOf(need)))
  const clear = () => {
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
  const { client, state, words } = usePage()
  if (needs.length === 0) return null
  return (
    <details>
      <summary>{words.needs.later(needs.length)}</summary>
      <ul class="stack">
        {needs.map((need) => (
          <li key={keyOf(need)} class="row unbroken">
            <span class="one-line" dir="auto">
              <strong>{need.title || words.untitled}</strong> {textOf(need, words)}
            </span>
            <Time at={backAt(need)} title={fullTime(backAt(need), state.language)}>
              {words.needs.until(shortTime(backAt(need), Date.now(), state.language))}
            </Time>
            <Button class="end" onClick={() => wake([need], client)} label={words.needs.showNow} />
          </li>
        ))}
      </ul>
    </details>
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
