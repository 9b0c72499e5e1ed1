import type { ComponentChildren, ComponentProps, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePage } from './context.ts'
import { jump } from './icons.tsx'
import type { DialogName } from './state.ts'
import { dateTime, ownTimes } from './time.ts'

/**
 * Modal dialog. The browser's own dialog keeps the focus inside, closes on Esc and then restores
 * the focus. It opens before the next key press, so that text typed at once goes into it.
 */
export function Modal(props: {
  name: DialogName
  label?: string
  style?: string
  children: ComponentChildren
}) {
  const { name, label, style = 'card', children } = props
  const { client } = usePage()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    dialog.current?.showModal()
    return () => dialog.current?.close()
  }, [])
  // Esc cancels here: the `close` event comes too late, when the next dialog may be open.
  const leave = (event: Event) => {
    event.preventDefault()
    if (dialog.current !== null) client.leave(name)
  }
  return (
    <dialog
      class={style}
      ref={dialog}
      onCancel={leave}
      onClose={leave}
      aria-label={label}
      aria-labelledby={label === undefined ? `${name}-title` : undefined}
    >
      {children}
    </dialog>
  )
}

/** Button with words, and maybe an icon. It submits no form unless its `type` says so. */
export const Button = ({
  icon,
  label,
  ...rest
}: ComponentProps<'button'> & { icon?: VNode; label: string }) => (
  <button type="button" {...rest}>
    {icon}
    {label}
  </button>
)

/** C833: question in the place of a button, before it acts. “No” has the focus. */
export function Sure({ text, act, close }: { text: string; act: () => void; close: () => void }) {
  const { actions } = usePage().words
  const box = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('.quiet')?.focus(), [])
  const accept = () => {
    close()
    act()
  }
  return (
    <span class="row tight small" role="group" aria-label={text} ref={box}>
      <span>{text}</span>
      <Button onClick={accept} label={actions.yes} />
      <Button class="quiet" onClick={close} label={actions.no} />
    </span>
  )
}

type IconButtonProps = {
  icon: VNode
  label: string
  press?: () => void
  style?: string
} & ComponentProps<'button'>

/** Button with an icon instead of words; `label` names it. */
export const IconButton = ({
  icon,
  label,
  press,
  style = 'quiet square',
  ...rest
}: IconButtonProps) => (
  <button type="button" class={style} aria-label={label} title={label} onClick={press} {...rest}>
    {icon}
  </button>
)

/** Group of buttons of which one is chosen. */
export function Choice<Value extends string | number>(props: {
  legend: string
  values: readonly Value[]
  labels: Readonly<Record<Value, string>>
  chosen: Value
  choose: (value: Value) => void
  isQuiet?: boolean
}) {
  const { legend, values, labels, chosen, choose, isQuiet = false } = props
  return (
    <div class={isQuiet ? 'row tight' : 'row choices'} role="group" aria-label={legend}>
      {values.map((value) => (
        <Button
          key={value}
          class={isQuiet ? 'quiet' : ''}
          aria-pressed={value === chosen}
          onClick={() => choose(value)}
          label={labels[value]}
        />
      ))}
    </div>
  )
}

/** Link to a thread on its platform; nothing if that has no address. */
export function PlatformLink({
  link,
  style = 'small',
}: {
  link: string | null | undefined
  style?: string
}) {
  const { needs } = usePage().words
  if (!link) return null
  return (
    <a class={style} href={link} target="_blank" rel="noreferrer">
      {needs.open}
    </a>
  )
}

/** HTML that the server rendered from a text, with times in the reader's zone (C138). */
export function Formatted({
  html,
  style = 'text',
  ...rest
}: { html: string; style?: string } & ComponentProps<'div'>) {
  const { language } = usePage().state
  return (
    <div
      class={style}
      dir="auto"
      dangerouslySetInnerHTML={{ __html: ownTimes(html, language) }}
      {...rest}
    />
  )
}

/** Element for an instant, with its words inside: its day and time where there are no others. */
export function Time({ at, children, ...rest }: { at: number } & ComponentProps<'time'>) {
  const { language } = usePage().state
  return (
    <time datetime={new Date(at).toISOString()} {...rest}>
      {children ?? dateTime(at, language)}
    </time>
  )
}

export const isMac = /Mac|iP/.test(navigator.platform)
/** Keys that open the palette, as written on this machine's keyboard. */
const paletteKey = isMac ? '⌘K' : 'Ctrl K'

/** C246: button that opens the palette, and shows its keys. */
export function PaletteButton({ style = 'quiet' }: { style?: string }) {
  const { client, words } = usePage()
  const label = words.palette.title
  return (
    <button
      type="button"
      class={style}
      title={label}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => client.show('palette')}
    >
      {jump}
      <span class="hidden">{label}</span>
      <kbd>{paletteKey}</kbd>
    </button>
  )
}

/** Buttons that end a form, behind its other fields. */
export function SaveOrCancel(props: {
  close: () => void
  isReady?: boolean
  children?: ComponentChildren
}) {
  const { close, isReady = true, children } = props
  const { actions } = usePage().words
  return (
    <div class="row">
      {children}
      <Button class="end" onClick={close} label={actions.cancel} />
      <Button type="submit" class="primary" disabled={!isReady} label={actions.save} />
    </div>
  )
}
