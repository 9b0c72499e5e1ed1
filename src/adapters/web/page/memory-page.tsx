import { useState } from 'preact/hooks'
import { present } from '../../../agent/domain/present.ts'
import type { MemoryView } from '../views.ts'
import { useList, useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, IconButton, Time } from './controls.tsx'
import { pen } from './icons.tsx'
import { AddForm, EditForm, ListPage, Refusal } from './list-page.tsx'
import { askedBy, hashOf } from './route.ts'
import { dateTime } from './time.ts'

/** Page of all memory: proposals, facts, and withdrawn facts. */
export function Memory() {
  const { state, words } = usePage()
  const path = askedBy('/api/memory', state.person)
  const { value, problem, refresh } = useList<{ memory: MemoryView[] }>(path)
  const all = value?.memory ?? null
  const parts = {
    pending: all?.filter(({ status }) => status === 'pending') ?? [],
    active: all?.filter(({ status }) => status === 'active') ?? [],
    gone: all?.filter(({ status }) => status === 'revoked' || status === 'archived') ?? [],
  }
  const { memory } = words
  const form = (
    <AddForm
      path="/api/memory"
      button={memory.add}
      hint={memory.hint}
      added={refresh}
      confirm={() => memory.added}
      fields={[{ label: memory.what, example: memory.example }]}
      isReady={([text = '']) => text.trim() !== ''}
      body={([text = '']) => ({ text: / --scope\b/.test(text) ? text : `${text} --scope team` })}
    />
  )
  return (
    <ListPage
      title={memory.title}
      none={memory.none}
      count={all?.length ?? null}
      problem={problem}
      form={form}
    >
      {(['pending', 'active', 'gone'] as const).map(
        (name) =>
          parts[name].length > 0 && (
            <section key={name} data-part={name} aria-label={memory.parts[name]}>
              <h2>{memory.parts[name]}</h2>
              <ul>
                {parts[name].map((one) => (
                  <Row key={`${one.conversationId} ${one.name}`} one={one} changed={refresh} />
                ))}
              </ul>
            </section>
          ),
      )}
    </ListPage>
  )
}

const verbs: Partial<
  Record<MemoryView['status'], readonly ('accept' | 'reject' | 'forget' | 'restore')[]>
> = {
  pending: ['accept', 'reject'],
  active: ['forget'],
  revoked: ['restore'],
  archived: ['restore'],
}

function Row({ one, changed }: { one: MemoryView; changed: () => Promise<void> }) {
  const { client, state, words } = usePage()
  const { busy, failed, send } = useRequest(changed)
  const { name, key, text, status, conversationId } = one
  const open = verbs[status] ?? []
  const [edited, setEdited] = useState(false)
  const [before, setBefore] = useState<string | null>(null)
  const place = conversationId === null ? {} : { conversationId }
  const change = async (to: string, undo: string | null) => {
    const answer = await send('PATCH', `/api/memory/${name}`, { ...place, text: to })
    if (answer !== null) setBefore(undo)
    return answer
  }
  const pathOf = (verb: string) => `/api/memory/${name}/${verb}`
  const rejecting = `${pathOf('reject')} ${conversationId}`
  const isLeaving = state.leaving.some((other) => other.path === rejecting)
  /**
   * Declines are sent only once nobody takes them back: a declined proposal is not listed any more
   * (C625).
   */
  const decide = (verb: (typeof open)[number]) => {
    if (verb !== 'reject') return send('POST', pathOf(verb), place)
    client.removals.remove({
      path: rejecting,
      text: words.memory.declined(text),
      send: () => send('POST', pathOf(verb), place),
      done: changed,
    })
    return undefined
  }
  const isUndone = status !== 'active' || before === null || before === text
  const presses = present([
    !isUndone && { verb: 'restore' as const, about: before, press: () => change(before, null) },
    ...open.map((verb) => ({
      verb,
      about: text,
      press: () => decide(verb),
    })),
  ])
  return (
    <li data-memory={name} class={isLeaving ? 'entry leaving' : 'entry'} inert={isLeaving}>
      <div class="body">
        <div class="what" dir="auto">
          {key !== null && (
            <>
              <strong>{key}</strong>
              {words.colon}
            </>
          )}
          {edited ? (
            <EditForm
              name={`memory ${conversationId} ${name}`}
              fields={[{ label: words.memory.what, value: text }]}
              save={([to = '']) => change(to, text)}
              close={() => setEdited(false)}
            />
          ) : (
            text
          )}
        </div>
        <Where one={one} />
        <Refusal text={failed} />
      </div>
      <div class="row">
        {status === 'active' && (
          <IconButton
            icon={pen}
            label={words.todos.edit(text)}
            disabled={busy}
            press={() => setEdited(!edited)}
          />
        )}
        {presses.map(({ verb, about, press }) => (
          <Button
            key={verb}
            class={verb === 'accept' ? 'primary' : 'quiet'}
            disabled={busy}
            aria-label={words.memory.press[verb](about)}
            onClick={press}
            label={words.memory.verbs[verb]}
          />
        ))}
      </div>
    </li>
  )
}

/** Origin of a fact: its name and scope, since when and from whom, and the message. */
function Where({ one: { name, scope, thread, at, by, sourceId } }: { one: MemoryView }) {
  const { state, words } = usePage()
  return (
    <p class="row tight hint">
      <span>{name}</span>
      <span>
        {scope === 'thread' && thread !== null
          ? words.memory.inThread(thread || words.untitled)
          : words.memory.scopes[scope]}
      </span>
      <Time at={at}>
        {by === null ? '' : `${by} · `}
        {dateTime(at, state.language)}
      </Time>
      {sourceId !== null && (
        <a href={hashOf({ view: 'thread', id: sourceId })}>{words.memory.source}</a>
      )}
    </p>
  )
}
