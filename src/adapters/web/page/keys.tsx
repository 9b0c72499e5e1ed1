import { useEffect, useRef } from 'preact/hooks'
import type { Client } from './client.ts'
import { usePage } from './context.ts'
import { Button, isMac, Modal } from './controls.tsx'
import { usePageEvent } from './effects.ts'

/**
 * Keys that work anywhere: ⌘K or Ctrl+K, and where no field has the focus `n` and `?` (C246, C914).
 */
export function usePageKeys(client: Client): void {
  usePageEvent('keydown', (event) => {
    const { key, metaKey, ctrlKey, shiftKey, altKey, isComposing, target } = event
    const { dialog } = client.store.get()
    if (altKey || isComposing) return
    const isPalette = key.toLowerCase() === 'k' && metaKey !== ctrlKey && !shiftKey
    if (isPalette && (dialog === null || dialog === 'palette')) {
      event.preventDefault()
      client.show(dialog === null ? 'palette' : null)
    }
    if (metaKey || ctrlKey || dialog !== null || event.defaultPrevented || isField(target)) return
    if (key !== 'n' && key !== '?') return
    event.preventDefault()
    if (key === 'n') client.go({ view: 'new' })
    else client.show('keys')
  })
}

const isField = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null

/** C914: list of the keys that the page knows. */
export function Keys() {
  const { client, words } = usePage()
  const { title, places, undo, palette } = words.keys
  const mod = isMac ? '⌘' : 'Ctrl '
  const anywhere: [string, string][] = [
    [`${mod}K`, palette],
    [`${mod}Z`, undo],
  ]
  const close = () => client.leave('keys')
  return (
    <Modal name="keys">
      <form class="stack" method="dialog" onSubmit={close}>
        <h2 id="keys-title">{title}</h2>
        {places.map(({ name, keys }, at) => (
          <section key={name} class="stack tight">
            <h3 class="small">{name}</h3>
            <dl class="keys">
              {[...(at === 0 ? anywhere : []), ...keys].map(([key, does]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <Button type="submit" class="primary" label={words.actions.close} />
      </form>
    </Modal>
  )
}

/** Time in which a view puts the focus where it wants it itself, in ms. */
const settledMs = 120

/**
 * Keeps the focus on the page (C915). A page that was gone to from the palette, or whose link is
 * gone, has it on its heading; where the button that was pressed is gone, the nearest part of the
 * page that is still there has it.
 */
export function useFocusKept(route: object, dialog: string | null): void {
  const fromPalette = useRef(false)
  if (dialog === 'palette') fromPalette.current = true
  const isFirst = useRef(true)
  useEffect(() => {
    const { activeElement } = document
    const isLost = activeElement === null || activeElement === document.body
    const isOutside = !activeElement?.closest('main')
    if (!isFirst.current && (isLost || (fromPalette.current && isOutside)))
      focusQuietly(document.querySelector('main h1'))
    isFirst.current = false
    fromPalette.current = false
  }, [route])
  useEffect(() => {
    let around: Element[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const note = ({ target }: FocusEvent) => {
      around = []
      for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement)
        around.push(at)
    }
    const look = () => {
      const [last] = around
      if (last === undefined || document.activeElement !== document.body) return
      if (last.isConnected && !last.matches(':disabled')) return
      focusQuietly(around.find((one) => one.isConnected && one.matches(parts)) ?? null)
    }
    const watch = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(look, settledMs)
    })
    const main = document.getElementById('main')
    if (main !== null)
      watch.observe(main, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    addEventListener('focusin', note)
    return () => {
      watch.disconnect()
      clearTimeout(timer)
      removeEventListener('focusin', note)
    }
  }, [])
}

/** Parts of the page that can have the focus in place of what was in them. */
const parts = 'main li, main form, main section, main'

/** Puts the focus on a part of the page that no Tab reaches. */
function focusQuietly(part: Element | null) {
  if (!(part instanceof HTMLElement)) return
  if (part.tabIndex < 0) part.tabIndex = -1
  part.focus({ preventScroll: true })
}
