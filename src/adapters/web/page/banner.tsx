import { useEffect, useState } from 'preact/hooks'
import { usePage } from './context.ts'
import { IconButton } from './controls.tsx'
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
  const { client, state } = usePage()
  return (
    <div class="notes stack" role="status">
      {state.notes.map((note) => (
        <Line key={note.id} text={note.text} close={() => client.dismiss(note.id)} />
      ))}
    </div>
  )
}

/** Time for which a line stays that nobody points at, in ms. */
const lineMs = 30_000

function Line({ text, close }: { text: string; close: () => void }) {
  const { words } = usePage()
  const [isHeld, hold] = useState(false)
  useInterval(close, isHeld ? null : lineMs)
  return (
    <div class="card" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
      <small>{words.onlyYou}</small>
      <p>{text}</p>
      <IconButton icon={cross()} label={words.actions.close} press={close} />
    </div>
  )
}
