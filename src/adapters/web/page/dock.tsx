import { useEffect, useState } from 'preact/hooks'
import type { ConversationView, MessageView, RunView } from '../views.ts'
import { usePage } from './context.ts'
import { Button, Sure } from './controls.tsx'
import { healthEveryMs, useInterval } from './effects.ts'
import { go, stop } from './icons.tsx'
import { Dot } from './line.tsx'
import { nowLine } from './plan.tsx'
import { isLive, type State } from './state.ts'
import { lasted } from './time.ts'

/**
 * Panel above the box, visible while Clew works: progress of each task, with buttons to stop or
 * continue it (C210).
 */
export function Dock({ view, isElsewhere }: { view: ConversationView; isElsewhere: boolean }) {
  const { state } = usePage()
  const { live, unanswered } = goingOn(view, state)
  if (live.length > 0) return live.map((run) => <LiveRun key={run.id} run={run} />)
  return unanswered === undefined || isElsewhere || state.modelAway !== null ? null : (
    <Thinking conversationId={view.id} message={unanswered} />
  )
}

/** Tasks in progress in a thread; if there are none, the message that has no answer yet. */
export function goingOn({ runs, messages }: ConversationView, { live: told }: State) {
  const live = runs
    .map((run) => ({ ...run, status: told[run.id]?.status ?? run.status }))
    .filter(({ status }) => isLive(status))
  const isUnanswered = ({ role, outcome }: MessageView) =>
    role === 'user' && (outcome === null || outcome.kind === 'waiting')
  return { live, unanswered: live.length > 0 ? undefined : messages.find(isUnanswered) }
}

/** Time after which it is said that the model has not answered yet, in ms. */
const longMs = 15_000

/**
 * Line shown before there is a task, while Clew thinks about a message. Its button cancels that.
 */
function Thinking(props: { conversationId: string; message: MessageView }) {
  const { conversationId, message } = props
  const since = message.at
  const { client, state, words } = usePage()
  const [stopped, setStopped] = useState(false)
  const [isLong, setIsLong] = useState(false)
  useInterval(() => {
    client.refreshHealth()
    setIsLong(Date.now() - since > longMs)
  }, healthEveryMs)
  // An answer, or a failure, says anew how the model is.
  useEffect(() => client.refreshHealth, [])
  const waitsFor = () => {
    if (state.noWorker) return words.plan.noWorker
    return isLong ? words.plan.noAnswerYet : words.plan.thinkingNow
  }
  const cancel = () => {
    setStopped(true)
    client.say(conversationId, words.actions.stopWord)
  }
  return (
    <div class="dock small" data-status="running">
      <Dot status="running" />
      <p class="one-line">
        <span>{waitsFor()}</span>
        <Elapsed since={since} />
      </p>
      <StopButton
        pressed={stopped}
        isOthers={message.author?.id !== state.person.id}
        press={cancel}
      />
    </div>
  )
}

function LiveRun({ run }: { run: RunView }) {
  const { client, state, words } = usePage()
  const progress = state.live[run.id] ?? run.progress ?? null
  const { status } = run
  const items = progress?.items ?? []
  const current = items[progress?.index ?? 0]
  const pressed = state.pressed[run.id]
  const line = lineOf()
  function lineOf() {
    if (status === 'running' && current !== undefined) return current.text
    if (status === 'running' && items.length === 0) return words.plan.thinkingNow
    return status === 'paused' ? words.statuses.paused : nowLine(progress, status, { state, words })
  }
  return (
    <div class="dock small" data-status={status}>
      <Dot status={status} />
      <p class="one-line">
        {items.length > 0 && (
          <strong>
            {words.plan.step(Math.min((progress?.index ?? 0) + 1, items.length), items.length)}
          </strong>
        )}
        <span dir="auto">{line}</span>
        {status === 'running' && <Elapsed since={run.startedAt ?? run.createdAt} />}
      </p>
      {status === 'paused' && (
        <Button
          class="primary"
          disabled={pressed !== undefined}
          onClick={() => client.control(run.id, 'continue')}
          icon={go}
          label={words.actions.continue}
        />
      )}
      <StopButton
        pressed={pressed === 'cancel'}
        busy={pressed !== undefined}
        isOthers={run.requestedBy?.id !== state.person.id}
        press={() => client.control(run.id, 'cancel')}
      />
    </div>
  )
}

function StopButton({
  pressed,
  busy = pressed,
  isOthers,
  press,
}: {
  pressed: boolean
  busy?: boolean
  isOthers: boolean
  press: () => void
}) {
  const { words } = usePage()
  const [asks, ask] = useState(false)
  if (asks) return <Sure text={words.actions.stopOthers} act={press} close={() => ask(false)} />
  return (
    <button type="button" class="stop" disabled={busy} onClick={isOthers ? () => ask(true) : press}>
      {stop}
      <span>{pressed ? words.actions.stopping : words.actions.stop}</span>
    </button>
  )
}

/** Counter of seconds, which screen readers do not announce. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now())
  useInterval(() => setNow(Date.now()), 1_000)
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  return (
    <span class="elapsed" aria-hidden>
      {' '}
      · {seconds < 60 ? `${seconds} s` : lasted(seconds * 1_000)}
    </span>
  )
}
