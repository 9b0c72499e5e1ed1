import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Attached, attach, forgetFiles } from './attached.ts'
import { Notes } from './banner.tsx'
import { keep, recall } from './browser-storage.ts'
import { Box, grow } from './composer-box.tsx'
import { usePage } from './context.ts'
import { IconButton } from './controls.tsx'
import { healthEveryMs, useInterval, usePageEvent } from './effects.ts'
import { clip, cross, send as sendIcon } from './icons.tsx'

/** Longest message, in characters, not UTF-16 units; the API has the same limit. */
const limit = 40_000

/**
 * The box with its text and attached files. The browser keeps them under `draft` until they are
 * sent.
 */
function useDraft(draft: string) {
  const { client, state, words } = usePage()
  const { route, suggestion } = state
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => recall(`draft.${draft}`) ?? '')
  const [files, setFiles] = useState<readonly Attached[]>(() =>
    JSON.parse(recall(`files.${draft}`) ?? '[]'),
  )
  // The files at the time when new ones have been checked.
  const held = useRef(files)
  const [problem, setProblem] = useState<string | null>(null)
  const write = (next: string) => {
    setText(next)
    keep(`draft.${draft}`, next)
  }
  const hold = (next: readonly Attached[]) => {
    held.current = next
    setFiles(next)
    setProblem(null)
    keep(`files.${draft}`, next.length === 0 ? '' : JSON.stringify(next))
  }
  const add = async (list: FileList | null | undefined) => {
    const { taken, problem } = await attach([...(list ?? [])], held.current.length, words)
    hold([...held.current, ...taken])
    setProblem(problem)
    box.current?.focus()
  }
  useEffect(() => {
    if (suggestion?.draft !== draft) return
    client.suggest(null)
    write(suggestion.text)
    hold([...files, ...(suggestion.files ?? [])])
    box.current?.focus()
  }, [suggestion])
  useEffect(() => {
    // On a touch screen the keyboard would cover half of the thread.
    if (route.view === 'new' || matchMedia('(pointer: fine)').matches)
      box.current?.focus({ preventScroll: true })
  }, [draft, route])
  useLayoutEffect(() => grow(box.current), [text])
  return { box, text, write, files, hold, add, problem }
}

/** The composer of messages. */
export function Composer(props: {
  /** Name of the draft; each thread has one. */
  draft: string
  placeholder: string
  send: (text: string, files: readonly Attached[]) => void
}) {
  const { words } = usePage()
  const { box, text, write, files, hold, add, problem } = useDraft(props.draft)
  const isOver = useDrop(add)
  const over = text.length <= limit ? 0 : Math.max(0, Array.from(text).length - limit)
  const isReady = (text.trim() !== '' || files.length > 0) && over === 0
  const send = (event: Event) => {
    event.preventDefault()
    if (!isReady) return
    props.send(text, files)
    write('')
    hold([])
    box.current?.focus()
  }
  const detach = (file: Attached) => {
    hold(files.filter(({ id }) => id !== file.id))
    forgetFiles([file])
    box.current?.focus()
  }
  return (
    <form class="composer" onSubmit={send}>
      <Notes />
      <ModelNotice />
      <div class="card" data-drop={isOver ? '' : undefined}>
        {files.length > 0 && <AttachedFiles files={files} detach={detach} />}
        <div class="writing">
          <AttachButton add={add} />
          <Box
            box={box}
            text={text}
            write={write}
            send={send}
            add={add}
            placeholder={props.placeholder}
          />
          <IconButton
            type="submit"
            icon={sendIcon}
            style="primary square"
            label={words.actions.send}
            disabled={!isReady}
          />
        </div>
      </div>
      <Hint problem={over > 0 ? words.composer.tooLong(limit, over) : problem} />
    </form>
  )
}

function AttachButton({ add }: { add: (files: FileList | null) => void }) {
  const { composer } = usePage().words
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          add(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <IconButton icon={clip} label={composer.attach} press={() => input.current?.click()} />
    </>
  )
}

function AttachedFiles({
  files,
  detach,
}: {
  files: readonly Attached[]
  detach: (file: Attached) => void
}) {
  const { composer } = usePage().words
  return (
    <ul class="attached row small" aria-label={composer.attached}>
      {files.map((file) => (
        <li key={file.id} class="file">
          <span dir="auto">{file.name}</span>
          <IconButton icon={cross} label={composer.detach(file.name)} press={() => detach(file)} />
        </li>
      ))}
    </ul>
  )
}

/**
 * Attaches files that are dropped anywhere on the page. Returns true while some are dragged over
 * it.
 */
function useDrop(add: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false)
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    setOver(event.type === 'dragover')
    if (event.type === 'drop') add(event.dataTransfer.files)
  }
  usePageEvent('dragover', drag)
  usePageEvent('drop', drag)
  usePageEvent('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false))
  return isOver
}

/** Hint on how to send, or the problem. */
function Hint({ problem }: { problem: string | null }) {
  const { composer } = usePage().words
  return (
    <p
      id="composer-hint"
      class={problem === null ? 'hint' : 'hint problem'}
      role={problem === null ? undefined : 'alert'}
    >
      {problem ?? composer.hint}
    </p>
  )
}

/** C521: says that the model does not answer, and leads those who may to where it is set. */
function ModelNotice() {
  const { client, state, words } = usePage()
  const { health, modelAway } = state
  const isUntold = health !== null && !health.model.rehearsal && health.model.last === null
  useInterval(client.refreshHealth, isUntold || modelAway !== null ? healthEveryMs : null)
  if (modelAway === null) return null
  return (
    <p class="notice waiting small" role="status">
      {words.modelAway[modelAway] ?? words.modelAway.unreachable}{' '}
      {health !== null && <a href="#/setup">{words.setup.title}</a>}
    </p>
  )
}
