import type { ComponentChildren } from 'preact'
import type { NeedView } from '../views.ts'
import { usePage } from './context.ts'
import { Button, Formatted, PlatformLink, Time } from './controls.tsx'
import { Answer } from './question.tsx'
import { hashOf, routeTo } from './route.ts'
import { pressName } from './state.ts'
import { fullTime, ownTime, shortTime } from './time.ts'

/** C190: everything that waits for a person, on every platform, the longest waiting first. */
export function Needs() {
  const { client, state, words } = usePage()
  const { needs } = state
  if (needs === null || needs.total === 0) return null
  return (
    <section class="needs stack" aria-labelledby="needs-title">
      <h2 id="needs-title" class="small">
        {words.needs.title} <span class="tag waiting">{needs.total}</span>
      </h2>
      <ul class="stack">
        {needs.needs.map((need) => (
          <Row key={`${need.workspace} ${need.name}`} need={need} />
        ))}
      </ul>
      {needs.next !== null && (
        <Button class="quiet" onClick={client.moreNeeds} label={words.needs.more(needs.total)} />
      )}
    </section>
  )
}

function Row({ need }: { need: NeedView }) {
  const { state, words } = usePage()
  const { kind, workspace, conversationId, title, at, late, link, name } = need
  const text = kind === 'unreadable' ? words.needs.unreadable : need.text
  const shown = title || words.untitled
  const { route } = state
  // The open thread shows its own entries. Only commands cannot be sent in a thread of another
  // platform.
  const isSaid = route.view === 'thread' && (route.workspace === undefined || kind !== 'proposal')
  const isOpen = isSaid && route.id === conversationId
  return (
    <li class="card need" data-need={name} data-kind={kind}>
      <Origin kind={words.needs.kinds[kind]} workspace={workspace} at={at}>
        {late && <span class="tag waiting">{words.needs.late}</span>}
      </Origin>
      {conversationId === null ? (
        <p class="one-line" dir="auto">
          {shown}
        </p>
      ) : (
        <a class="one-line" dir="auto" href={hashOf(routeTo(workspace, conversationId))}>
          {shown}
        </a>
      )}
      {!isOpen && (
        <>
          {need.question === null ? (
            text !== title && (
              <p class="what small" dir="auto">
                {ownTime(text, state.language)}
              </p>
            )
          ) : (
            <Formatted html={need.question.html} style="text small" tabindex={0} />
          )}
          <Buttons need={need} />
          <PlatformLink link={link} />
        </>
      )}
    </li>
  )
}

/** Line above an entry from a thread of any platform: its kind, place and time. */
export function Origin(props: {
  kind: string
  workspace: string
  at: number
  children: ComponentChildren
}) {
  const { kind, workspace, at, children } = props
  const { state, words } = usePage()
  const [platform = ''] = workspace.split(':')
  return (
    <p class="row tight hint">
      <strong>{kind}</strong>
      <span class="platform">{platform === 'web' ? words.needs.here : platform}</span>
      {children}
      <Time class="end" at={at} title={fullTime(at, state.language)}>
        {shortTime(at, Date.now(), state.language)}
      </Time>
    </p>
  )
}

/** Same buttons as in the thread. */
function Buttons({ need }: { need: NeedView }) {
  const { client, state, words } = usePage()
  const { kind, question, runId, workspace, conversationId } = need
  const pressed = state.pressed[pressName(need)] ?? state.pressed[runId ?? '']
  const button = (label: string, press: () => void, style = '') => (
    <Button
      class={style}
      disabled={pressed !== undefined}
      aria-label={`${label}${words.colon}${need.title || need.text}`}
      onClick={press}
      label={label}
    />
  )
  if (question !== null) return <Answer question={question} place={{ conversationId, workspace }} />
  if (kind === 'proposal')
    return (
      <div class="row">
        {button(words.memory.verbs.accept, () => client.decide(need, 'accept'), 'primary')}
        {button(words.memory.verbs.reject, () => client.decide(need, 'reject'))}
      </div>
    )
  if (kind === 'unreadable' && conversationId !== null)
    return (
      <a class="small" href={hashOf(routeTo(workspace, conversationId))}>
        {words.needs.openThread}
      </a>
    )
  if (runId === null) return null
  if (kind === 'paused')
    return (
      <div class="row">
        {button(
          words.actions.continue,
          () => client.control(runId, 'continue', workspace),
          'primary',
        )}
        {button(words.actions.stop, () => client.control(runId, 'cancel', workspace))}
      </div>
    )
  return (
    <div class="row">
      {need.again &&
        button(words.needs.fromThere, () => client.beginAgain(runId, null, workspace), 'primary')}
      {button(words.actions.retry, () => client.control(runId, 'retry', workspace))}
      {button(words.needs.seen, () => client.see(need))}
    </div>
  )
}
