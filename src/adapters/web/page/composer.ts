import { html } from 'htm/preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keep, recall } from './browser-storage.ts'
import { usePage } from './context.ts'
import { send as sendIcon } from './icons.ts'
import { typedIn } from './settings.ts'

/** As the API takes it; counted in characters, not in UTF-16 units. */
const limit = 40_000

/** Where people write. What they have begun is kept in the browser until it is sent. */
export function Composer(props: {
  /** Names the draft: one a thread. */
  draft: string
  placeholder: string
  send: (text: string) => void
}) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => recall(`draft.${props.draft}`) ?? '')
  const { client, state, words } = usePage()
  const { suggestion } = state

  const write = (next: string): void => {
    setText(next)
    keep(`draft.${props.draft}`, next)
  }
  useEffect(() => {
    if (suggestion?.draft !== props.draft) return
    client.suggest(null)
    write(suggestion.text)
    box.current?.focus()
  }, [suggestion])
  useEffect(() => {
    // On a touch screen the keyboard would cover half of the thread.
    if (matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }, [props.draft])
  useLayoutEffect(() => grow(box.current), [text])

  const over = text.length <= limit ? 0 : Math.max(0, Array.from(text).length - limit)
  const send = (event: Event): void => {
    event.preventDefault()
    if (text.trim() === '' || over > 0) return
    props.send(text)
    write('')
    box.current?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    // Enter that picks a word of an input method belongs to the input method.
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229) send(event)
    if (event.key === 'Escape') box.current?.blur()
  }
  return html`<form class="composer" onSubmit=${send}>
    <div class="card">
      <textarea ref=${box} rows="1" value=${text} placeholder=${props.placeholder} aria-label=${words.composer.label} aria-describedby="composer-hint" enterkeyhint="send"
        onInput=${(event: InputEvent) => write(typedIn(event))} onKeyDown=${onKey}></textarea>
      <button class="primary square" disabled=${text.trim() === '' || over > 0} aria-label=${words.actions.send} title=${words.actions.send}>${sendIcon()}</button>
    </div>
    <p id="composer-hint" class=${over > 0 ? 'hint problem' : 'hint'} role=${over > 0 ? 'alert' : undefined}>${over > 0 ? words.composer.tooLong(limit, over) : words.composer.hint}</p>
  </form>`
}

/** As high as its text, up to what the style allows. */
function grow(box: HTMLTextAreaElement | null): void {
  if (box === null) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}
