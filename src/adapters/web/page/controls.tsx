import type { VNode } from 'preact'
import { usePage } from './context.ts'

/** A button with a drawing in place of words; `label` is what it says. */
export function IconButton(props: {
  icon: VNode
  label: string
  press: () => void
  disabled?: boolean
  style?: string
}) {
  const { icon, label, press, disabled = false, style = 'quiet square' } = props
  return (
    <button type="button" class={style} disabled={disabled} aria-label={label} title={label} onClick={press}>
      {icon}
    </button>
  )
}

/** The end of a form in a dialog. */
export function SaveOrCancel({ close, isReady = true }: { close: () => void; isReady?: boolean }) {
  const { actions } = usePage().words
  return (
    <div class="row">
      <button type="button" class="end" onClick={close}>
        {actions.cancel}
      </button>
      <button type="submit" class="primary" disabled={!isReady}>
        {actions.save}
      </button>
    </div>
  )
}
