import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, PaletteButton, SaveOrCancel } from './controls.tsx'
import { back } from './icons.tsx'
import { keeper } from './kept.ts'
import { useMeant } from './meant-times.ts'
import { phone, useMedia } from './media.ts'

/** Title bar of a page, with the way back to the threads where those are hidden. */
export function Bar(props: { title: string; onlySmall?: boolean; children?: ComponentChildren }) {
  const { title, onlySmall = false, children } = props
  const { words } = usePage()
  return (
    <header class={onlySmall ? 'bar only-small' : 'bar'}>
      <a class="nav-link square only-small" href="#/" aria-label={words.back}>
        {back}
      </a>
      <h1 class="one-line" dir="auto">
        {title}
      </h1>
      <PaletteButton style="quiet square only-small" />
      {children}
    </header>
  )
}

/** Places in the lists, which one finds again on coming back (C694). */
const places = new Map<string, number>()

/** Page with a list. `count` is null until it is fetched; `problem` says why that failed. */
export function ListPage(props: {
  title: string
  none: string
  count: number | null
  problem: string | null
  form: ComponentChildren
  style?: string
  children?: ComponentChildren
}) {
  const { title, none, count, problem, style = 'sheet' } = props
  const box = useRef<HTMLDivElement>(null)
  const isThere = count !== null
  useLayoutEffect(() => {
    if (isThere) box.current?.scrollTo(0, places.get(title) ?? 0)
  }, [isThere])
  return (
    <section class="thread" aria-label={title}>
      <Bar title={title} />
      <div
        class="scroll"
        ref={box}
        onScroll={({ currentTarget }) => places.set(title, currentTarget.scrollTop)}
      >
        <div class={style}>
          {props.form}
          {count === null && <Loading problem={problem} />}
          {count === 0 && <p class="hint center">{none}</p>}
          {props.children}
        </div>
      </div>
    </section>
  )
}

/** Placeholder while something is fetched, or the reason why that failed. */
export function Loading({ problem }: { problem: string | null }) {
  const { words } = usePage()
  return <p class="hint center">{problem ?? words.loading}</p>
}

export interface FormField {
  label: string
  /** It takes a time. */
  isTime?: 'once' | 'rule'
  example?: string
}

const useTyped = keeper<readonly string[]>()

const timesIn = (fields: readonly FormField[], typed: readonly string[]) => ({
  texts: typed.filter((_, place) => fields[place]?.isTime !== undefined),
  once: fields.some(({ isTime }) => isTime === 'once'),
})

/**
 * Fields of a form, each with its label above it. The first has the focus once the form is opened.
 */
function Fields(props: {
  fields: readonly FormField[]
  typed: readonly string[]
  type: (change: (now: readonly string[]) => readonly string[]) => void
  isOpened?: boolean
  children?: ComponentChildren
}) {
  const { fields, typed, type, isOpened = false, children } = props
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isOpened) box.current?.querySelector('input')?.focus()
  }, [isOpened])
  return (
    <div class="fields" ref={box}>
      {fields.map(({ label, example = '' }, place) => (
        <label key={label}>
          <span class="small">{label}</span>
          <input
            value={typed[place]}
            dir="auto"
            placeholder={example}
            onInput={(event) => type((now) => now.with(place, event.currentTarget.value))}
          />
        </label>
      ))}
      {children}
    </div>
  )
}

/**
 * Form that adds to a list of the API. `body` makes the request from the typed fields, in their
 * order. On a phone it stands behind a button (C618).
 */
export function AddForm<T>(props: {
  path: string
  fields: readonly FormField[]
  button: string
  hint: string
  /** True if enough was typed. */
  isReady: (typed: readonly string[]) => boolean
  body: (typed: readonly string[]) => object
  /** Called with the answer; null after a refusal. */
  added: (answer: T | null) => Promise<void> | void
  /** Says what was added. */
  confirm: (answer: T) => string
}) {
  const { path, fields, button, isReady, body, added, confirm } = props
  const { actions } = usePage().words
  const {
    value: typed,
    keep,
    drop,
  } = useTyped(
    `add ${path}`,
    fields.map(() => ''),
  )
  const [isOpened, open] = useState(false)
  const [said, say] = useState<string | null>(null)
  const { busy, failed, send, forget } = useRequest()
  const isFolded = useMedia(phone) && !isOpened && typed.every((text) => text === '')
  const ready = !busy && isReady(typed)
  const meant = useMeant(timesIn(fields, typed))
  const box = useRef<HTMLFormElement>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!ready || (await meant.isNew())) return
    const answer = await send<T>('POST', path, body(typed.map((text) => text.trim())))
    say(answer === null ? null : confirm(answer))
    if (answer !== null) {
      // Text typed meanwhile stays.
      keep((now) => now.map((text, place) => (text === typed[place] ? '' : text)))
      open(false)
      // The next one can be typed at once; on a phone the form folds.
      if (!isOpened) box.current?.querySelector('input')?.focus()
    }
    await added(answer)
  }
  const hint = meant.lines.join('\n') || (said ?? (isFolded ? '' : props.hint))
  const status = failed === null ? hint : inFields(failed)
  return (
    <form class={isFolded ? 'stack' : 'card add stack'} onSubmit={submit} ref={box}>
      {isFolded ? (
        <Button class="primary" onClick={() => open(true)} label={button} />
      ) : (
        <Fields
          fields={fields}
          typed={typed}
          type={(change) => {
            // What was refused is being corrected.
            forget()
            keep(change)
          }}
          isOpened={isOpened}
        >
          <Button type="submit" class="primary" disabled={!ready} label={button} />
        </Fields>
      )}
      <p class={failed === null ? 'hint' : 'hint problem'} role="status" dir="auto">
        {status}
      </p>
      {isOpened && (
        <Button
          class="quiet"
          onClick={() => {
            drop()
            forget()
            open(false)
          }}
          label={actions.cancel}
        />
      )}
    </form>
  )
}

/**
 * Form that edits a row in place: Enter saves, Escape leaves. `save` gets the typed fields, in
 * their order; null means that it was refused, and says so itself. `name` keeps what is half typed.
 */
export function EditForm(props: {
  name: string
  fields: readonly (FormField & { value: string })[]
  save: (typed: readonly string[]) => Promise<unknown>
  close: () => void
}) {
  const { name, fields, save, close } = props
  const {
    value: typed,
    keep,
    drop,
  } = useTyped(
    name,
    fields.map(({ value }) => value),
  )
  // A time that stands there already is understood.
  const changed = typed.map((text, place) => (text === fields[place]?.value ? '' : text))
  const meant = useMeant(timesIn(fields, changed))
  const leave = () => {
    drop()
    close()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await meant.isNew()) return
    const asked = typed.map((text) => text.trim())
    if (asked.every((text, place) => text === fields[place]?.value) || (await save(asked)) !== null)
      leave()
  }
  return (
    <form
      class="edit stack"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') leave()
      }}
    >
      <Fields fields={fields} typed={typed} type={keep} isOpened />
      <p class="hint" role="status">
        {meant.lines.join('\n')}
      </p>
      <SaveOrCancel close={leave} isReady={typed[0]?.trim() !== ''} />
    </form>
  )
}

/**
 * Reason of a refusal for people who filled in fields: without the command that the form stands for
 * (C619).
 */
const inFields = (problem: string) =>
  (problem.split('\n')[0] ?? '').replaceAll(/`([^`]*)`/g, '“$1”')

/** Gives the focus to the same button of the next row, or of the one before, as this row goes. */
export function focusNext(button: HTMLElement, name: string): void {
  const all = [...document.querySelectorAll<HTMLElement>(`main .${name}`)]
  const place = all.indexOf(button)
  ;(all[place + 1] ?? all[place - 1])?.focus()
}

/** Reason why a request about a row was refused. */
export const Refusal = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="hint problem" role="alert">
      {inFields(text)}
    </p>
  )
