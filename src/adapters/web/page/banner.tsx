import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usePage } from './context.ts'
import { Button, IconButton } from './controls.tsx'
import { useInterval } from './effects.ts'
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

/** Notices for this person only. */
export function Notes() {
  const { client, state, words } = usePage()
  return (
    <div class="notes stack" role="status">
      {state.notes.map((note) => (
        <Line key={note.id} text={note.text} close={() => client.dismiss(note.id)}>
          <small>{words.onlyYou}</small>
        </Line>
      ))}
      {state.leaving.map(({ path, text }) => (
        <Line key={path} text={text} close={() => client.removals.send(path)} ms={undoMs}>
          <Button onClick={() => client.removals.undo(path)} label={words.undo} />
        </Line>
      ))}
    </div>
  )
}

/** Time for which a line stays that nobody points at, in ms. */
const lineMs = 30_000
/** Time for which a deletion can be undone, in ms. */
const undoMs = 8_000

function Line(props: {
  text: string
  close: () => void
  ms?: number
  children: ComponentChildren
}) {
  const { text, close, ms = lineMs, children } = props
  const { words } = usePage()
  const [isHeld, hold] = useState(false)
  useInterval(close, isHeld ? null : ms)
  return (
    <div class="card" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
      <p dir="auto">{text}</p>
      {children}
      <IconButton icon={cross()} label={words.actions.close} press={close} />
    </div>
  )
}
