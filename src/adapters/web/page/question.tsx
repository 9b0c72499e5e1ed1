import { useLayoutEffect, useRef } from 'preact/hooks'
import { isUnnamed, nameOf } from '../names.ts'
import type { AnsweredView, QuestionView } from '../views.ts'
import type { AnswerInput, Place } from './client.ts'
import { grow, isSending } from './composer-box.tsx'
import { usePage } from './context.ts'
import { Button, Formatted } from './controls.tsx'
import { typedInto } from './effects.ts'
import { tick } from './icons.tsx'
import { keeper } from './kept.ts'
import type { Words } from './language.ts'
import { useLinkTo } from './linked.ts'
import { initialOf, MessageFrame } from './message.tsx'
import type { Unsent } from './outbox.ts'
import type { State } from './state.ts'

/**
 * Question of a run, open or answered. It waits without a limit. Unless it is an approval, anyone
 * in the thread may answer (C47).
 */
export function Question({
  question,
  answered,
}: {
  question: QuestionView
  answered: AnsweredView | null
}) {
  const { state, words } = usePage()
  const link = useLinkTo(
    state.view?.messages.find(({ questionId }) => questionId === question.id)?.id,
  )
  return (
    <MessageFrame
      name={words.clew}
      author={null}
      at={question.askedAt}
      link={link}
      label={words.question.label}
      data-question={question.id}
    >
      <div class={answered === null ? 'card question' : 'card question closed'}>
        <Formatted html={question.html} />
        {answered === null ? <Open question={question} /> : <Closed answered={answered} />}
      </div>
    </MessageFrame>
  )
}

function Open({ question }: { question: QuestionView }) {
  const { state, words } = usePage()
  const given = givenTo(question, state)
  const { approval, askedOf, mine, personal = false, runId } = question
  const isUnknown = askedOf !== null && isUnnamed(askedOf)
  const asker = state.view?.runs.find(({ id }) => id === runId)?.requestedBy?.id
  const unknown = asker === state.person.id ? words.youWithin : words.asker
  const isForAll = mine && !approval && !personal
  const only = personal ? words.question.askerOnly : words.question.approvers
  const who = isForAll ? words.question.anyone : only(isUnknown ? unknown : askedOf)
  return (
    <>
      {question.mine && <Answer question={question} answered={writeOn} />}
      <p class="hint" role="status">
        {given === undefined ? who : saidOf(given, words)}
      </p>
    </>
  )
}

const saidOf = ({ state, text }: Unsent, { question }: Words) =>
  state === 'held' ? question.given(text, '') : `${question.sending} ${text}`

/** Answer given here that has not arrived yet. */
const givenTo = (question: QuestionView, { unsent }: State) =>
  unsent.find(({ questionId }) => questionId === question.id)

const useTyped = keeper<string>()

/**
 * Form to answer a question, by a choice or in words. It is in the question's thread, or in the
 * queue, which then passes its `place` and the thread's name. Can be taken back for a moment
 * (C692).
 */
export function Answer(props: {
  question: QuestionView
  place?: Place
  about?: string
  answered?: () => void
}) {
  const { question, place, about = '', answered } = props
  const { client, state, words } = usePage()
  // Words stay until the question is closed: in another card, after Undo.
  const { value: text, keep } = useTyped(question.id, '')
  const given = givenTo(question, state)
  const isGiven = given !== undefined
  const answer = (said: AnswerInput) => {
    const label = 'choice' in said ? said.choice : said.text
    const answers = [{ questionId: question.id, given: said, place }]
    client.answer(answers, words.question.given(label, about))
    answered?.()
  }
  const send = (event: Event) => {
    event.preventDefault()
    if (text.trim() === '' || isGiven) return
    answer({ text })
  }
  return (
    <>
      <Choices question={question} given={given?.text} choose={(choice) => answer({ choice })} />
      {question.input !== null && (
        <Edit
          question={question}
          given={isGiven}
          approve={(edited) => answer({ choice: question.choices[0] ?? '', edited })}
        />
      )}
      {!question.approval && (
        <form class="row unbroken answering" onSubmit={send}>
          <Field
            text={text}
            write={(typed) => keep(() => typed)}
            send={send}
            question={question}
            isGiven={isGiven}
          />
          <Button
            type="submit"
            disabled={text.trim() === '' || isGiven}
            label={words.actions.send}
          />
        </form>
      )}
    </>
  )
}

/** Field for an answer in words, as high as its text. */
function Field(props: {
  question: QuestionView
  text: string
  isGiven: boolean
  write: (text: string) => void
  send: (event: Event) => void
}) {
  const { question, text, isGiven, write, send } = props
  const { placeholder, inWords } = usePage().words.question
  const box = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => grow(box.current), [text])
  const label = question.choices.length === 0 ? inWords : placeholder
  return (
    <textarea
      ref={box}
      rows={1}
      value={text}
      dir="auto"
      placeholder={label}
      aria-label={label}
      disabled={isGiven}
      onInput={typedInto(write)}
      onKeyDown={(event) => isSending(event) && send(event)}
    />
  )
}

/**
 * Choices of a question. In an approval, the first one goes on (C193). `given` is the chosen one.
 */
function Choices(props: {
  question: QuestionView
  given: string | undefined
  choose: (choice: string) => void
}) {
  const { words } = usePage()
  const { approval, choices } = props.question
  if (choices.length === 0) return null
  const styleOf = (choice: string) => {
    if (props.given === choice) return 'given'
    return approval && choice === choices[0] ? 'primary' : ''
  }
  return (
    <div class="row choices" role="group" aria-label={words.question.choices} data-acts="">
      {choices.map((choice) => (
        <Button
          key={choice}
          disabled={props.given !== undefined}
          class={styleOf(choice)}
          onClick={() => props.choose(choice)}
          label={choice}
        />
      ))}
    </div>
  )
}

/** C147: “edit, then approve”: the call with edited arguments. */
function Edit(props: {
  question: QuestionView
  given: boolean
  approve: (edited: string) => void
}) {
  const { question, given, approve } = props
  const { words } = usePage()
  const { value: edited, keep } = useTyped(`edit ${question.id}`, question.input ?? '')
  const submit = (event: Event) => {
    event.preventDefault()
    approve(edited)
  }
  return (
    <details>
      <summary>{words.question.editFirst}</summary>
      <form onSubmit={submit}>
        <textarea
          rows={8}
          spellcheck={false}
          value={edited}
          aria-label={words.question.call}
          onInput={typedInto((typed) => keep(() => typed))}
        />
        <Button
          type="submit"
          disabled={given || edited.trim() === ''}
          label={words.question.approveEdited}
        />
      </form>
    </details>
  )
}

/**
 * Moves the focus to the composer, as the answered form has disappeared. Not on a phone, where that
 * opens the keyboard.
 */
function writeOn() {
  const box = document.querySelector<HTMLElement>('.composer textarea')
  if (matchMedia('(pointer: fine)').matches) box?.focus({ preventScroll: true })
}

function Closed({ answered }: { answered: AnsweredView }) {
  const { state, words } = usePage()
  const chose = answered.choices.includes(answered.answer)
    ? words.question.chose
    : words.question.said
  const isYes = answered.approval && answered.answer === answered.choices[0]
  // C954: words that somebody else's answer overtook.
  const { value: typed } = useTyped(answered.id, '')
  const isLost = !['', answered.answer.trim()].includes(typed.trim())
  const name = nameOf(answered.author, state.person.id, words)
  return (
    <>
      <p class="answer">
        <span class={isYes ? 'badge yes' : 'badge'} aria-hidden>
          {isYes ? tick : initialOf(name)}
        </span>
        <span>
          <strong>{name}</strong> {chose} <em dir="auto">{answered.answer}</em>
        </span>
      </p>
      {!answered.approval && (
        <Choices question={answered} given={answered.answer} choose={() => {}} />
      )}
      {isLost && (
        <p class="hint" dir="auto">
          {words.question.notSent(typed.trim())}
        </p>
      )}
      {answered.edited !== null && (
        <pre tabindex={0}>
          <code>{answered.edited}</code>
        </pre>
      )}
    </>
  )
}
