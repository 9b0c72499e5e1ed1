import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Client } from './client.ts'
import { usePage } from './context.ts'
import { Button, IconButton, isMac } from './controls.tsx'
import { useInterval, usePageEvent } from './effects.ts'
import { cross } from './icons.tsx'

/**
 * Banner that says that Clew or its store does not answer, once that has lasted a while. It
 * disappears by itself.
 */
export function Banner() {
  const { state, words } = usePage()
  const { connection } = state
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (connection === 'ok') return setLasting(false)
    const timer = setTimeout(() => setLasting(true), 1_200)
    return () => clearTimeout(timer)
  }, [connection])
  const shown = lasting && connection !== 'ok'
  return (
    <div role="status" class="banner-place">
      {shown && (
        <p class="center waiting small">
          {connection === 'store' ? words.banner.store : words.banner.offline}
        </p>
      )}
    </div>
  )
}

/** Key that takes back the newest act, as written on this machine's keyboard. */
const undoKey = isMac ? '⌘Z' : 'Ctrl Z'

/** True if a key is for a text field, one with text, or for a dialog. */
const isForField = (target: EventTarget | null): boolean => {
  if (target instanceof HTMLTextAreaElement) return target.value !== ''
  const field = 'input:not([type=checkbox]), [contenteditable], dialog'
  return target instanceof Element && target.closest(field) !== null
}

/**
 * Takes back the newest act by Ctrl+Z or ⌘Z, unless a text field has something to take back (C691).
 */
export function useUndoKey({ store, removals }: Client): void {
  usePageEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event
    if (key.toLowerCase() !== 'z' || ctrlKey === metaKey || shiftKey || altKey) return
    const newest = store.get().leaving.at(-1)
    if (newest === undefined || isForField(target)) return
    event.preventDefault()
    removals.undo(newest.path)
  })
}

/** Says each notice once, to screen readers, wherever it is shown. */
export function Spoken() {
  const { leaving, notes } = usePage().state
  const { words } = usePage()
  const [said, say] = useState('')
  const newest = leaving.at(-1)
  useEffect(() => {
    if (newest !== undefined) say(`${newest.text} – ${words.undo}${words.colon}${undoKey}`)
  }, [newest?.path, newest?.text])
  useEffect(() => {
    const note = notes.at(-1)
    if (note !== undefined) say(note.text)
  }, [notes.at(-1)?.id])
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  )
}

/** Notices for this person only, in a place of their own that covers nothing (C690). */
export function Notes() {
  const { client, state, words } = usePage()
  const { notes, leaving } = state
  if (notes.length + leaving.length === 0) return null
  return (
    <div class="notes stack small">
      {leaving.toReversed().map(({ path, text, ms = undoMs }) => (
        <Line key={path} text={text} close={() => client.removals.send(path)} ms={ms}>
          <Button
            aria-keyshortcuts="Control+Z Meta+Z"
            onClick={() => client.removals.undo(path)}
            label={words.undo}
          />
          <kbd class="only-keyboard" aria-hidden>
            {undoKey}
          </kbd>
        </Line>
      ))}
      {notes.toReversed().map(({ id, text, isPrivate }) => (
        <Line key={id} text={text} close={() => client.dismiss(id)} ms={lineMs(text)}>
          {isPrivate && <small>{words.onlyYou}</small>}
        </Line>
      ))}
    </div>
  )
}

/**
 * Time for which a line without Undo stays that nobody points at, in ms: long enough to read it.
 */
const lineMs = (text: string) => Math.min(30_000, 6_000 + 60 * text.length)
/** Time for which something can be undone, in ms. */
const undoMs = 20_000

function Line(props: { text: string; close: () => void; ms: number; children: ComponentChildren }) {
  const { text, close, ms, children } = props
  const { words } = usePage()
  const [isHeld, hold] = useState(false)
  useInterval(close, isHeld ? null : ms)
  return (
    <div
      class="card"
      onPointerEnter={({ pointerType }) => hold(pointerType === 'mouse')}
      onPointerLeave={() => hold(false)}
      onFocusIn={() => hold(true)}
      onFocusOut={() => hold(false)}
    >
      <p dir="auto">{text}</p>
      {children}
      <IconButton icon={cross} label={words.actions.close} press={close} />
    </div>
  )
}
