import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useCommands } from './api-hooks.ts'
import { completionOf } from './completion.ts'
import { usePage } from './context.ts'
import { ownMessageOf } from './own-message.tsx'
import { Suggestions, useSuggestions } from './suggestions.tsx'

/**
 * The text box with its completions. HTML has no combobox of several lines, so it is a text box
 * with a list (C245).
 */
export function Box(props: {
  box: RefObject<HTMLTextAreaElement | null>
  text: string
  placeholder: string
  write: (text: string) => void
  send: (event: Event) => void
  add: (files: FileList) => void
}) {
  const { box, text, placeholder, write, send, add } = props
  const { client, state, words } = usePage()
  const { composer } = words
  const { list, count, look, close, press, attributes } = useCompletion(box, text, write)
  const onKey = (event: KeyboardEvent) => {
    if (press(event)) return
    const own = event.key === 'ArrowUp' && text === '' ? ownMessageOf(state) : null
    if (own !== null) {
      event.preventDefault()
      client.edit(own.id)
    }
    if (isSending(event)) send(event)
    if (event.key === 'Escape') box.current?.blur()
  }
  const onPaste = (event: ClipboardEvent) => {
    const { files = null, types = [] } = event.clipboardData ?? {}
    // Text copied from a document also comes as a picture; the text is meant.
    if (!files?.length || types.includes('text/plain')) return
    event.preventDefault()
    add(files)
  }
  return (
    <>
      <textarea
        ref={box}
        rows={1}
        value={text}
        placeholder={placeholder}
        aria-label={composer.label}
        aria-describedby="composer-hint"
        enterkeyhint={isTouch ? 'enter' : 'send'}
        {...attributes}
        onInput={(event) => {
          write(event.currentTarget.value)
          look()
        }}
        onKeyDown={onKey}
        onKeyUp={look}
        onClick={look}
        onBlur={close}
        onPaste={onPaste}
      />
      {list}
      <p class="hidden" role="status">
        {count}
      </p>
    </>
  )
}

const isTouch = matchMedia('(pointer: coarse)').matches

/**
 * True if a key sends what is written: Enter, but on a touch screen it begins a line, as there is a
 * button to send (C697). During input by an input method, Enter only picks a word.
 */
export const isSending = ({ key, shiftKey, isComposing, keyCode }: KeyboardEvent): boolean =>
  key === 'Enter' && !isTouch && !shiftKey && !isComposing && keyCode !== 229

/** Fits a box to its text, up to the height that the style allows. */
export function grow(box: HTMLTextAreaElement | null): void {
  if (box === null) return
  box.style.height = 'auto'
  const { borderTopWidth, borderBottomWidth } = getComputedStyle(box)
  const border = Number.parseFloat(borderTopWidth) + Number.parseFloat(borderBottomWidth)
  box.style.height = `${box.scrollHeight + border}px`
}

/**
 * Completions of the word before the caret while somebody types. Escape closes them for this word.
 */
function useCompletion(
  box: RefObject<HTMLTextAreaElement | null>,
  text: string,
  write: (text: string) => void,
) {
  const { words } = usePage()
  const [caret, setCaret] = useState<number | null>(null)
  const [closed, close] = useState<number | null>(null)
  const commands = useCommands(/^\s*[/／]/.test(text))
  const people = usePeople()
  const found = caret === null ? null : completionOf(text, caret, { commands, people })
  useEffect(() => {
    if (found === null) close(null)
  }, [found === null])
  const shown = found?.from === closed ? null : found
  const suggestions = (shown?.suggestions ?? []).map(({ text: taken, ...choice }) => ({
    ...choice,
    key: choice.name,
    take() {
      box.current?.setRangeText(taken, shown?.from ?? 0, caret ?? 0, 'end')
      write(box.current?.value ?? '')
      look()
    },
  }))
  const { id, active, press, attributes } = useSuggestions(
    suggestions,
    text.slice(0, caret ?? 0),
    shown?.isOpen ? -1 : 0,
  )
  function look() {
    const { selectionStart = 0, selectionEnd = 0 } = box.current ?? {}
    setCaret(selectionStart === selectionEnd ? selectionStart : null)
  }
  function onKey(event: KeyboardEvent) {
    if (press(event)) return true
    if (shown === null || event.key !== 'Escape' || event.isComposing) return false
    close(shown.from)
    return true
  }
  const label = shown === null ? '' : words.completion[shown.kind]
  return {
    list: shown && <Suggestions {...{ id, active, suggestions, label }} />,
    count: shown && words.completion.count(suggestions.length),
    look,
    close: () => setCaret(null),
    press: onKey,
    attributes,
  }
}

/** Names of the others who wrote in the open thread, as far as it is shown. */
function usePeople(): string[] {
  const { view, person } = usePage().state
  const others = view?.messages.flatMap(({ author }) =>
    author && author.id !== person.id ? [author.name] : [],
  )
  return [...new Set(others)].filter((name) => name.trim() !== '')
}
