import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { assertNever } from '../../../agent/domain/assert.ts'
import type { ConversationView } from '../views.ts'
import { Composer } from './composer.tsx'
import { usePage } from './context.ts'
import { Button, IconButton, PlatformLink } from './controls.tsx'
import { Dock } from './dock.tsx'
import { down } from './icons.tsx'
import { spoken, type Words } from './language.ts'
import { useLinked } from './linked.ts'
import { Bar } from './list-page.tsx'
import { Archived, ThreadMenu } from './manage.tsx'
import { DraftMessage, Message, UnsentMessage } from './message.tsx'
import { Plan } from './plan.tsx'
import { Question } from './question.tsx'
import { queryOf, workspaceOf } from './route.ts'
import { isLive } from './state.ts'
import { day, isSameDay, ownTimes } from './time.ts'
import { type Entry, timelineOf } from './timeline.ts'

/** A thread: its messages, its tasks and the composer. */
export function Thread({ id }: { id: string }) {
  const { client, state, words } = usePage()
  const view = state.view?.id === id ? state.view : null
  const unsent = state.unsent.filter(({ conversationId }) => conversationId === id)
  const entries = useMemo(() => timelineOf(view, unsent, isSameDay), [view, state.unsent])
  const { scroll, away, toEnd } = useEnd(view, entries, state.live, state.draft)
  useLinked(view, scroll)
  // Set in a thread of another platform, whose people write there.
  const workspace = workspaceOf(state.route)
  const title =
    view?.title || state.conversations?.find((line) => line.id === id)?.title || words.untitled

  if (state.isMissing)
    return (
      <section class="thread">
        <Bar title="Clew" />
        <div class="scroll">
          <div class="sheet missing">
            <h2>{words.missingThread}</h2>
            <p>{words.missingHint}</p>
            <p class="row">
              <a class="button primary" href="#/new">
                {words.newThread}
              </a>
              <a class="button" href="#/">
                {words.back}
              </a>
            </p>
          </div>
        </div>
      </section>
    )
  return (
    <section class="thread" aria-label={title}>
      <Bar title={title}>
        {view !== null && <ThreadMenu key={id} view={view} workspace={workspace} />}
      </Bar>
      {view !== null && <Archived view={view} workspace={workspace} />}
      <div class="scroll" ref={scroll} tabindex={0} role="region" aria-label={words.messages}>
        {view === null && <p class="hint center">{words.loading}</p>}
        {view?.more && (
          <p class="center">
            <Button class="quiet" onClick={client.earlier} label={words.earlier} />
          </p>
        )}
        {view !== null && entries.length === 0 && <p class="hint center">{words.emptyThread}</p>}
        <ol class="timeline" aria-label={words.messages}>
          {entries.map((entry) => (
            <Row key={entry.key} entry={entry} />
          ))}
          {view !== null && state.draft !== null && (
            <DraftMessage key="draft" draft={state.draft} />
          )}
        </ol>
      </div>
      {away && (
        <IconButton icon={down} style="square to-end" label={words.messages} press={toEnd} />
      )}
      <Announcer view={view} />
      {view !== null && view.files.length > 0 && <Files view={view} />}
      {view !== null && <Dock view={view} isElsewhere={workspace !== undefined} />}
      {workspace !== undefined ? (
        <p class="hint center">
          {words.needs.elsewhere} <PlatformLink link={view?.link} style="" />
        </p>
      ) : (
        <Composer
          key={id}
          draft={id}
          placeholder={placeholderOf(view, words)}
          send={(text, files) => client.say(id, text, files)}
        />
      )}
    </section>
  )
}

/** Files that the thread's tasks made, for download (R90). */
function Files({ view }: { view: ConversationView }) {
  const { state, words } = usePage()
  const query = queryOf(workspaceOf(state.route))
  return (
    <p class="files row tight small">
      <span>{words.files}</span>
      {view.files.map(({ name }) => (
        <a
          key={name}
          href={`/api/conversations/${view.id}/files/${encodeURIComponent(name)}${query}`}
          download={name}
          dir="auto"
        >
          {name}
        </a>
      ))}
    </p>
  )
}

/** Placeholder of the box, which says what writing does now. */
function placeholderOf(view: ConversationView | null, { composer }: Words): string {
  const status = view?.run?.status
  if (status === 'paused') return composer.paused
  if (view?.question) return view.question.mine ? composer.asked : composer.reply
  return status !== undefined && isLive(status) ? composer.working : composer.reply
}

function Row({ entry }: { entry: Entry }) {
  const { language } = usePage().state
  switch (entry.kind) {
    case 'day':
      return (
        <li class="day hint">
          <span>{day(entry.at, Date.now(), language)}</span>
        </li>
      )
    case 'message':
      return <Message message={entry.message} follows={entry.follows} report={entry.report} />
    case 'question':
      return <Question question={entry.question} answered={entry.answered} />
    case 'run':
      return <Plan run={entry.run} isLast={entry.isLast} />
    case 'unsent':
      return <UnsentMessage unsent={entry.unsent} />
    default:
      return assertNever(entry)
  }
}

/** Announces new messages once, to screen readers. */
function Announcer({ view }: { view: ConversationView | null }) {
  const { state, words } = usePage()
  const { language } = state
  const seen = useRef<string | null>(null)
  const [said, say] = useState('')
  const newest = view?.messages.findLast(({ role }) => role === 'assistant')
  useEffect(() => {
    if (view === null) return
    if (newest !== undefined && seen.current !== null && seen.current !== newest.id) {
      const isQuestion = newest.questionId !== null
      const text = spoken(ownTimes(newest.html, language))
      say(isQuestion ? words.announce.question(text) : words.announce.message(text))
    }
    // The first answer in a thread is announced too.
    seen.current = newest?.id ?? seen.current ?? ''
  }, [view === null, newest?.id])
  return (
    <p class="hidden" aria-live="polite">
      {said}
    </p>
  )
}

/**
 * Keeps the end of the thread in sight while it grows, unless somebody has scrolled away. A message
 * of Clew that is longer than the screen is shown from its beginning; of unread ones, the first is
 * (C519).
 */
function useEnd(view: ConversationView | null, entries: readonly Entry[], ...news: unknown[]) {
  const scroll = useRef<HTMLDivElement>(null)
  const [away, setAway] = useState(false)
  const { route } = usePage().state
  // An address that names a message leads there, and not to the end.
  const isLinked = route.view === 'thread' && route.message !== undefined
  const linked = useRef(isLinked)
  linked.current = isLinked
  const pinned = useRef(true)
  const unread = useRef<string | null>(null)
  const followedTo = useRef(0)
  if (unread.current === null && view !== null) unread.current = firstUnread(view)
  const toEnd = () => {
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
  }
  const follow = () => {
    const box = scroll.current
    if (box === null) return
    const line =
      box.querySelector(`[data-message="${unread.current}"]`) ??
      box.querySelector(
        '.timeline > [data-role=assistant]:is([data-message], [data-draft]):last-child',
      )
    const below =
      line === null
        ? box.scrollHeight
        : line.getBoundingClientRect().top - box.getBoundingClientRect().top
    // Never upwards: somebody may have gone on to the end of a long message.
    box.scrollTop += Math.max(0, below)
    followedTo.current = box.scrollTop
  }
  useEffect(() => {
    const box = scroll.current
    if (box === null) return
    const look = () => {
      const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80
      pinned.current = atEnd || Math.abs(box.scrollTop - followedTo.current) < 2
      if (atEnd) unread.current = ''
      setAway(!atEnd)
    }
    const resized = new ResizeObserver(() => pinned.current && !linked.current && follow())
    resized.observe(box)
    if (box.lastElementChild !== null) resized.observe(box.lastElementChild)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [])
  const isSaying = entries.at(-1)?.kind === 'unsent'
  useLayoutEffect(() => {
    if (isSaying) toEnd()
    else if (pinned.current && !isLinked) follow()
  }, [entries, ...news])
  return { scroll, away, toEnd }
}

/** Id of the first message of Clew that was not read when the thread opened; else empty. */
const firstUnread = ({ unread, readAt, messages }: ConversationView) =>
  (unread && messages.find(({ role, at }) => role === 'assistant' && at > (readAt ?? 0))?.id) || ''
