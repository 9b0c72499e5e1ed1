import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, PaletteButton, SaveOrCancel } from './controls.tsx'
import { back } from './icons.tsx'

/** Title bar of a page, with the way back to the threads where those are hidden. */
export function Bar(props: { title: string; onlySmall?: boolean; children?: ComponentChildren }) {
  const { title, onlySmall = false, children } = props
  const { words } = usePage()
  return (
    <header class={onlySmall ? 'bar only-small' : 'bar'}>
      <a class="nav-link square only-small" href="#/" aria-label={words.back}>
        {back()}
      </a>
      <h1 class="one-line" dir="auto">
        {title}
      </h1>
      <PaletteButton style="quiet square only-small" />
      {children}
    </header>
  )
}

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
  return (
    <section class="thread" aria-label={title}>
      <Bar title={title} />
      <div class="scroll">
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

/**
 * Form that adds to a list of the API. `body` makes the request from the typed fields, in their
 * order.
 */
export function AddForm<T>(props: {
  path: string
  fields: readonly { label: string; example: string }[]
  button: string
  hint: string
  /** True if enough was typed. */
  isReady: (typed: readonly string[]) => boolean
  body: (typed: readonly string[]) => object
  /** Called with the answer; null after a refusal. */
  added: (answer: T | null) => Promise<void> | void
}) {
  const { path, fields, isReady, body, added } = props
  const [typed, setTyped] = useState<readonly string[]>(fields.map(() => ''))
  const { busy, failed, send } = useRequest()
  const ready = !busy && isReady(typed)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (!ready) return
    const answer = await send<T>('POST', path, body(typed.map((text) => text.trim())))
    // Text typed meanwhile stays.
    if (answer !== null)
      setTyped((now) => now.map((text, place) => (text === typed[place] ? '' : text)))
    await added(answer)
  }
  return (
    <form class="card add stack" onSubmit={submit}>
      <div class="fields">
        {fields.map(({ label, example }, place) => (
          <label key={label}>
            <span class="small">{label}</span>
            <input
              value={typed[place]}
              placeholder={example}
              onInput={(event) => setTyped((now) => now.with(place, event.currentTarget.value))}
            />
          </label>
        ))}
        <Button type="submit" class="primary" disabled={!ready} label={props.button} />
      </div>
      <p class={failed === null ? 'hint' : 'hint problem'} role="status">
        {failed === null ? props.hint : withoutCommand(failed)}
      </p>
    </form>
  )
}

/**
 * Form that edits a row in place: Enter saves, Escape leaves. `save` gets the typed fields, in their order; null means that it
 * was refused, and says so itself.
 */
export function EditForm(props: {
  fields: readonly { label: string; value: string; example?: string }[]
  save: (typed: readonly string[]) => Promise<unknown>
  close: () => void
}) {
  const { fields, save, close } = props
  const [typed, setTyped] = useState(fields.map(({ value }) => value))
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const asked = typed.map((text) => text.trim())
    if (asked.every((text, place) => text === fields[place]?.value) || (await save(asked)) !== null)
      close()
  }
  return (
    <form
      class="row"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      {fields.map(({ label, example = '' }, place) => (
        <input
          key={label}
          value={typed[place]}
          dir="auto"
          aria-label={label}
          placeholder={example}
          ref={(box) =>
            void (place === 0 && document.activeElement === document.body && box?.focus())
          }
          onInput={(event) => setTyped((now) => now.with(place, event.currentTarget.value))}
        />
      ))}
      <SaveOrCancel close={close} isReady={typed[0]?.trim() !== ''} />
    </form>
  )
}

/** Nearest valid text for a form, without the command that the form implies. */
const withoutCommand = (problem: string): string => problem.replace(/\/(?:schedule|todo) add /, '')

/** Reason why a request about a row was refused. */
export const Refusal = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="hint problem" role="alert">
      {text}
    </p>
  )
