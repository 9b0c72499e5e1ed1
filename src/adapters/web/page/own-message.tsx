import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MessageView } from '../views.ts'
import { useRequest } from './api-hooks.ts'
import { recall } from './browser-storage.ts'
import type { Client } from './client.ts'
import { usePage } from './context.ts'
import { IconButton, SaveOrCancel } from './controls.tsx'
import { typedInto } from './effects.ts'
import { bin, pen } from './icons.tsx'
import { Refusal } from './list-page.tsx'
import { askedBy } from './route.ts'
import type { State } from './state.ts'

/**
 * C249: this person's newest message in the open thread, if this browser sent it, with the path for
 * changing it.
 */
export function ownMessageOf({ view, person }: State) {
  if (view === null) return null
  const id = view.messages.findLast(({ author }) => author?.id === person.id)?.id
  const [sent, name] = recall(`sent.${view.id}`)?.split(' ') ?? []
  return id !== undefined && id === sent
    ? { id, path: `/api/conversations/${view.id}/messages/${name}` }
    : null
}

const wholeOf = (path: string, client: Client) => askedBy(path, client.sender().author)

/** C832: true if a message is withdrawn, or about to be. */
export function useWithdrawn(id: string, path: string | null): boolean {
  const { client, state } = usePage()
  const { leaving, withdrawn } = state
  const isLeaving = path !== null && leaving.some((one) => one.path === wholeOf(path, client))
  return isLeaving || withdrawn.includes(id)
}

/** Buttons of one's own newest message. */
export function OwnMessage({ id, path }: { id: string; path: string }) {
  const { client, words } = usePage()
  const withdraw = () => {
    client.removals.remove({
      path: wholeOf(path, client),
      text: words.own.withdrawn,
      done: async (isGone) => {
        if (isGone) client.isGone(id)
      },
    })
  }
  return (
    <div class="own">
      <IconButton icon={pen} label={words.own.edit} press={() => client.edit(id)} />
      <IconButton icon={bin} label={words.own.withdraw} press={withdraw} />
    </div>
  )
}

/** Form that edits a message: Enter saves, Escape discards the changes. */
export function Rewrite({ message, path }: { message: MessageView; path: string }) {
  const { client, words } = usePage()
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, write] = useState(message.text)
  const { failed, busy, send } = useRequest()
  const isReady = text.trim() !== '' && !busy
  // Focuses before the next key press.
  useLayoutEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(text.length, text.length)
  }, [])
  const close = () => {
    client.edit(null)
    document.querySelector<HTMLElement>('.composer textarea')?.focus()
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isReady && (text === message.text || (await send('PATCH', path, { text })) !== null))
      close()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') close()
    if (event.key === 'Enter' && !event.shiftKey) void save(event)
  }
  return (
    <form class="stack" onSubmit={save}>
      <textarea
        ref={box}
        rows={Math.min(12, text.split('\n').length + 1)}
        dir="auto"
        value={text}
        aria-label={words.own.edit}
        onInput={typedInto(write)}
        onKeyDown={onKey}
      />
      <Refusal text={failed} />
      <SaveOrCancel close={close} isReady={isReady} />
    </form>
  )
}
