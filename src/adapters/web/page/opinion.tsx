import { useState } from 'preact/hooks'
import type { Opinion as Given } from '../../../agent/domain/feedback.ts'
import { feedbackReasons, opinionMost, rightMost } from '../../../agent/domain/feedback-reasons.ts'
import { usePage } from './context.ts'
import { Button, IconButton } from './controls.tsx'
import { thumbDown, thumbUp } from './icons.tsx'

/** C147: rating of a report; a second press changes it. A 👎 is asked for its reason (C730). */
export function Opinion({ runId }: { runId: string }) {
  const { client, words } = usePage()
  const [given, give] = useState<Given | null>(null)
  const judge = (opinion: Given) => {
    give(opinion)
    client.judge(runId, opinion)
  }
  return (
    <>
      <div class="row tight opinion" role="group" aria-label={words.opinion.label}>
        {[true, false].map((good) => (
          <IconButton
            key={good}
            icon={good ? thumbUp : thumbDown}
            aria-pressed={given?.good === good}
            label={words.opinion[good ? 'helpful' : 'unhelpful']}
            press={() => judge({ good })}
          />
        ))}
      </div>
      {given?.good === false && <Reasons given={given} judge={judge} />}
      {given?.good === false && <KeepTest runId={runId} />}
    </>
  )
}

/** Reasons for a 👎: three buttons, and a field for own words. */
function Reasons({ given, judge }: { given: Given; judge: (opinion: Given) => void }) {
  const { opinion } = usePage().words
  return (
    <div class="stack small" role="group" aria-label={opinion.why}>
      <p class="hint">
        {opinion.why} {opinion.seen}
      </p>
      <div class="row">
        {feedbackReasons.map((reason) => (
          <Button
            key={reason}
            aria-pressed={given.reason === reason}
            onClick={() => judge({ ...given, reason })}
            label={opinion.reasons[reason]}
          />
        ))}
      </div>
      <Line label={opinion.own} most={opinionMost} say={(words) => judge({ ...given, words })} />
    </div>
  )
}

/** C732: keeps the run as a test, with what would have been right. */
function KeepTest({ runId }: { runId: string }) {
  const { client, words } = usePage()
  const { test } = words.opinion
  return (
    <details class="small">
      <summary>{test.keep}</summary>
      <p class="hint">{test.example}</p>
      <Line
        label={test.right}
        most={rightMost}
        say={(right) => client.keepTest(runId, right)}
        isLong
      />
    </details>
  )
}

/** Field with a button that sends what is typed. */
function Line(props: {
  label: string
  most: number
  say: (text: string) => void
  isLong?: boolean
}) {
  const { label, most, say, isLong = false } = props
  const { opinion, actions } = usePage().words
  const [text, type] = useState('')
  const [said, note] = useState<string | null>(null)
  const send = (event: Event) => {
    event.preventDefault()
    note(text)
    say(text)
  }
  const field = {
    'aria-label': label,
    placeholder: label,
    maxLength: most,
    value: text,
    dir: 'auto' as const,
    onInput: (event: { currentTarget: { value: string } }) => type(event.currentTarget.value),
  }
  return (
    <form class="row" onSubmit={send}>
      {isLong ? <textarea rows={3} {...field} /> : <input {...field} />}
      <Button
        type="submit"
        disabled={text.trim() === '' || said === text}
        label={said === text && text !== '' ? opinion.noted : actions.send}
      />
    </form>
  )
}
