import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { isUnnamed, nameOf } from '../names.ts'
import type { MessageView } from '../views.ts'
import { forgetFiles } from './attached.ts'
import { usePage } from './context.ts'
import { Button, Formatted, Time } from './controls.tsx'
import { CopyButton, useCode } from './copy.tsx'
import { clew } from './icons.tsx'
import type { Words } from './language.ts'
import { useLinkTo } from './linked.ts'
import { Opinion } from './opinion.tsx'
import type { Unsent } from './outbox.ts'
import { OwnMessage, ownMessageOf, Rewrite, useWithdrawn } from './own-message.tsx'
import { queryOf, workspaceOf } from './route.ts'
import type { State } from './state.ts'
import { clockTime, fullTime, ownTimes } from './time.ts'

/** Message of a person or of Clew, with its outcome. */
export function Message(props: { message: MessageView; follows: boolean; report: string | null }) {
  const { message, follows, report } = props
  const { state, words } = usePage()
  const { person, language } = state
  const link = useLinkTo(message.id)
  const html = useMemo(() => ownTimes(message.html, language), [message, language])
  const found = message.author?.id === person.id ? ownMessageOf(state) : null
  const path = found?.id === message.id ? found.path : null
  const isWithdrawn = useWithdrawn(message.id, path)
  const isLate = isEditedLate(message, state)
  const isOpen = path !== null && state.edited === message.id
  const text = useCode(isOpen ? '' : html)
  return useMemo(() => {
    const name = message.author === null ? words.clew : nameOf(message.author, person.id, words)
    const receipt = message.role === 'user' ? receiptOf(message.outcome, words) : null
    return (
      <MessageFrame
        name={name}
        author={message.author}
        at={message.at}
        follows={follows}
        link={link}
        data-message={message.id}
        data-withdrawn={isWithdrawn || undefined}
      >
        {isOpen ? (
          <Rewrite message={message} path={path} />
        ) : (
          <div ref={text} class="text" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
        )}
        {!isOpen && <CopyButton text={message.text} />}
        {path !== null && !isOpen && !isWithdrawn && <OwnMessage id={message.id} path={path} />}
        {message.files.length > 0 && <Files files={message.files} />}
        {message.offers.length > 0 && <Offers offers={message.offers} />}
        {report !== null && <Opinion runId={report} />}
        {receipt !== null && (
          <p class="receipt hint" data-outcome={message.outcome?.kind}>
            {isWithdrawn ? words.own.gone : receipt}
            {message.editedAt !== null && ` · ${isLate ? words.own.editedLate : words.own.edited}`}
          </p>
        )}
      </MessageFrame>
    )
  }, [message, follows, report, words, person, language, link, path, isOpen, isWithdrawn, isLate])
}

/** Draft of Clew's next message. Screen readers announce only the finished message. */
export function DraftMessage({ draft }: { draft: NonNullable<State['draft']> }) {
  const { words } = usePage()
  return (
    <MessageFrame name={words.clew} author={null} at={draft.at} label={words.writing} data-draft="">
      <Formatted html={draft.html} aria-busy="true" />
    </MessageFrame>
  )
}

/**
 * Files of a message: pictures and downloads. On other platforms, and once they have expired, only
 * their names (C242).
 */
function Files({ files }: { files: MessageView['files'] }) {
  const query = queryOf(workspaceOf(usePage().state.route))
  return (
    <ul class="attached row small">
      {files.map(({ name, image, upload }, at) => (
        <li key={upload ?? at}>
          {upload === null ? (
            <span dir="auto">{name}</span>
          ) : (
            <a
              href={`/api/uploads/${upload}${query}`}
              {...(image ? { target: '_blank' } : { download: name })}
              dir="auto"
            >
              {image ? (
                <img src={`/api/uploads/${upload}${query}`} alt={name} loading="lazy" />
              ) : (
                name
              )}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Commands that a message offers: a press sends one of them in the thread. */
function Offers({ offers }: { offers: MessageView['offers'] }) {
  const { client, state } = usePage()
  const [given, give] = useState<string | null>(null)
  const { route } = state
  // Nothing can be sent from here into a thread of another platform.
  if (route.view !== 'thread' || route.workspace !== undefined) return null
  const press = (command: string) => {
    give(command)
    client.say(route.id, command)
  }
  return (
    <div class="row offers" role="group">
      {offers.map(({ label, command }) => (
        <Button
          key={command}
          disabled={given !== null}
          data-command={command}
          onClick={() => press(command)}
          label={label}
        />
      ))}
    </div>
  )
}

/**
 * Message that the server does not have yet. Nothing is lost: it is retried, or its text goes back
 * into the box.
 */
export function UnsentMessage({ unsent }: { unsent: Unsent }) {
  const { client, state, words } = usePage()
  const { receipts, actions } = words
  const edit = () => {
    client.suggest({
      draft: unsent.conversationId ?? 'new',
      text: unsent.text,
      files: unsent.files ?? [],
    })
    client.discard(unsent.id)
  }
  const discard = () => {
    client.discard(unsent.id)
    forgetFiles(unsent.files ?? [])
  }
  const { author } = client.sender()
  return (
    <MessageFrame
      name={nameOf(author, state.person.id, words)}
      author={author}
      at={unsent.at}
      data-message={unsent.id}
      data-state={unsent.state}
    >
      <div class="text plain" dir="auto">
        {unsent.text}
      </div>
      {unsent.files && (
        <Files files={unsent.files.map(({ name }) => ({ name, image: false, upload: null }))} />
      )}
      <p
        class={unsent.state === 'rejected' ? 'receipt hint problem' : 'receipt hint'}
        role="status"
      >
        {receipts[unsent.state === 'sent' || unsent.state === 'held' ? 'sending' : unsent.state]}
        {unsent.problem !== null && words.colon + unsent.problem}
      </p>
      {unsent.state === 'rejected' && (
        <div class="row">
          <Button onClick={edit} label={actions.edit} />
          <Button class="quiet" onClick={discard} label={actions.discard} />
        </div>
      )}
    </MessageFrame>
  )
}

/**
 * Frame of every message: author, time and content. Other attributes, such as `data-…`, go to its
 * line.
 */
export function MessageFrame(props: {
  name: string
  /** Author; null for Clew. */
  author: { id: string; name: string } | null
  at: number
  follows?: boolean
  /** Address of the message. */
  link?: string | undefined
  /** Name for screen readers. Defaults to `name`. */
  label?: string
  children?: ComponentChildren
}) {
  const { name, author, at, follows = false, link, label = name, children, ...line } = props
  const { state, words } = usePage()
  const { language } = state
  const clock = clockTime(at, language)
  const shown = (
    <Time at={at} title={fullTime(at, language)}>
      {clock}
    </Time>
  )
  const linked = link !== undefined && (
    <a class="permalink" href={link} aria-label={`${words.arrange.link}${words.colon}${clock}`}>
      {shown}
    </a>
  )
  return (
    <li
      class={follows ? 'said follows' : 'said'}
      data-role={author === null ? 'assistant' : 'user'}
      {...line}
    >
      <article aria-label={label}>
        {author === null ? (
          <span class="avatar" aria-hidden>
            {clew(24)}
          </span>
        ) : (
          <span class="avatar person" aria-hidden style={{ '--hue': hueOf(author.id) }}>
            {isUnnamed(author.name) && author.id !== state.person.id ? '?' : initialOf(name)}
          </span>
        )}
        <div class="body">
          {follows ? (
            linked
          ) : (
            <header>
              <strong>{name}</strong>
              {linked || shown}
            </header>
          )}
          {children}
        </div>
      </article>
    </li>
  )
}

/** First letter of a name, for a picture of the person. */
export const initialOf = (name: string): string => (Array.from(name.trim())[0] ?? '·').toUpperCase()

const hues = [210, 150, 265, 35, 185, 300, 95, 235]

/** Colour of a person, one of eight, always the same. */
function hueOf(id: string): number | undefined {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 4096
  return hues[sum % hues.length]
}

/** C952: true if a message was changed once the task that it led to had ended. */
function isEditedLate({ outcome, editedAt }: MessageView, { view }: State): boolean {
  const runId = outcome !== null && 'runId' in outcome ? outcome.runId : null
  const endedAt = view?.runs.find(({ id }) => id === runId)?.endedAt ?? null
  return endedAt !== null && editedAt !== null && editedAt >= endedAt
}

function receiptOf(outcome: MessageView['outcome'], { receipts }: Words): string {
  if (outcome === null) return receipts.waiting
  if (outcome.kind === 'command' && outcome.failed) return receipts.notDone
  return outcome.kind === 'ignored' ? receipts.ignored[outcome.reason] : receipts[outcome.kind]
}
