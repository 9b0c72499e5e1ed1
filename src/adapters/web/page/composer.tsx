import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keep, recall } from './browser-storage.ts'
import { usePage } from './context.ts'
import { send as sendIcon } from './icons.tsx'

/** As the API takes it; counted in characters, not in UTF-16 units. */
const limit = 40_000

/** The box with what people have begun to write, which is kept in the browser under `draft` until it is sent. */
function useDraft(draft: string) {
  const { client, state } = usePage()
  const { suggestion } = state
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => recall(`draft.${draft}`) ?? '')
  const write = (next: string): void => {
    setText(next)
    keep(`draft.${draft}`, next)
  }
  useEffect(() => {
    if (suggestion?.draft !== draft) return
    client.suggest(null)
    write(suggestion.text)
    box.current?.focus()
  }, [suggestion])
  useEffect(() => {
    // On a touch screen the keyboard would cover half of the thread.
    if (matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }, [draft])
  useLayoutEffect(() => grow(box.current), [text])
  return { box, text, write }
}

/** Where people write. */
export function Composer(props: {
  /** Names the draft: one a thread. */
  draft: string
  placeholder: string
  send: (text: string) => void
}) {
  const { words } = usePage()
  const { box, text, write } = useDraft(props.draft)
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
  return (
    <form class="composer" onSubmit={send}>
      <div class="card">
        <textarea
          ref={box}
          rows={1}
          value={text}
          placeholder={props.placeholder}
          aria-label={words.composer.label}
          aria-describedby="composer-hint"
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        <button
          type="submit"
          class="primary square"
          disabled={text.trim() === '' || over > 0}
          aria-label={words.actions.send}
          title={words.actions.send}
        >
          {sendIcon()}
        </button>
      </div>
      <Hint over={over} />
    </form>
  )
}

/** How to send; of a text that is too long, by how many characters it is. */
function Hint({ over }: { over: number }) {
  const { composer } = usePage().words
  return (
    <p id="composer-hint" class={over > 0 ? 'hint problem' : 'hint'} role={over > 0 ? 'alert' : undefined}>
      {over > 0 ? composer.tooLong(limit, over) : composer.hint}
    </p>
  )
}

/** As high as its text, up to what the style allows. */
function grow(box: HTMLTextAreaElement | null): void {
  if (box === null) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}
