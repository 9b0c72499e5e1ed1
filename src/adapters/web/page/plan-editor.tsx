import { useEffect, useState } from 'preact/hooks'
import { useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, IconButton, SaveOrCancel } from './controls.tsx'
import { cross, down, plus, up } from './icons.tsx'
import { Refusal } from './list-page.tsx'
import { queryOf, workspaceOf } from './route.ts'

interface Step {
  key: number
  text: string
  /** Index of the step when the editor was opened; null for a new one. */
  from: number | null
}
type Steps = readonly Step[]

const stepsOf = (left: readonly string[]): Steps =>
  left.map((text, from) => ({ key: from, text, from }))

/**
 * Steps being edited. They start anew if the plan becomes another, and stay if the task has ended.
 */
function useSteps(now: readonly string[] | null) {
  const [seen, setSeen] = useState(now ?? [])
  const left = now ?? seen
  const [steps, setSteps] = useState(stepsOf(left))
  const [isOther, setOther] = useState(false)
  const gone = seen.length - left.length
  const fits = gone >= 0 && left.every((text, at) => seen[at + gone] === text)
  useEffect(() => {
    if (fits) return
    setSeen(left)
    setSteps(stepsOf(left))
    setOther(true)
  }, [fits])
  const shown = steps.filter(({ from }) => from === null || from >= gone)
  return { shown, setSteps, isOther }
}

/**
 * Editor of the steps that have not begun (C208); null: the task has ended. A step that begins
 * meanwhile leaves the form.
 */
export function PlanEditor({
  runId,
  left,
  close,
}: {
  runId: string
  left: readonly string[] | null
  close: () => void
}) {
  const { state, words } = usePage()
  const { planEditor } = words
  const { shown, setSteps, isOther } = useSteps(left)
  const { busy, failed, send } = useRequest()
  const isOver = left === null
  const changing = isOther ? planEditor.moved : planEditor.hint
  const put = (at: number, ...some: Step[]) => setSteps(shown.toSpliced(at, 1, ...some))
  const swap = (at: number) => {
    const [one, other] = [shown[at], shown[at + 1]]
    if (one !== undefined && other !== undefined) setSteps(shown.toSpliced(at, 2, other, one))
  }
  const save = async (event: Event) => {
    event.preventDefault()
    const texts = shown.map(({ text }) => text.trim()).filter((text) => text !== '')
    const query = queryOf(workspaceOf(state.route))
    const taken = await send('POST', `/api/runs/${runId}/plan${query}`, {
      seen: left,
      steps: texts,
    })
    if (taken !== null) close()
  }
  return (
    <form class="plan-editor stack" onSubmit={save} aria-label={planEditor.open}>
      <p class="hint" role="status">
        {isOver ? planEditor.ended : changing}
      </p>
      <ol>
        {shown.map((step, at) => (
          <li class="row" key={step.key}>
            <input
              value={step.text}
              maxlength={200}
              dir="auto"
              aria-label={planEditor.step(at + 1)}
              ref={step.text === '' ? focused : null}
              onInput={(event) => put(at, { ...step, text: event.currentTarget.value })}
            />
            <IconButton
              icon={up}
              label={planEditor.up(at + 1)}
              press={() => swap(at - 1)}
              disabled={at === 0}
            />
            <IconButton
              icon={down}
              label={planEditor.down(at + 1)}
              press={() => swap(at)}
              disabled={at === shown.length - 1}
            />
            <IconButton icon={cross} label={planEditor.skip(at + 1)} press={() => put(at)} />
          </li>
        ))}
      </ol>
      <SaveOrCancel close={close} isReady={!busy && !isOver}>
        <Button
          class="quiet"
          disabled={shown.length >= 30}
          onClick={() => setSteps([...shown, { key: Date.now(), text: '', from: null }])}
          icon={plus}
          label={planEditor.add}
        />
      </SaveOrCancel>
      <Refusal text={failed} />
    </form>
  )
}

/** Focuses a step that was just added. */
function focused(box: HTMLInputElement | null) {
  if (box !== null && box.value === '' && document.activeElement !== box) box.focus()
}
