import { useEffect, useRef, useState } from 'preact/hooks'
import type { ConversationView } from '../views.ts'
import { usePage } from './context.ts'
import { SaveOrCancel } from './controls.tsx'
import { dots } from './icons.tsx'
import { Refusal } from './list-page.tsx'
import { queryOf } from './route.ts'

type Contents = Record<'messages' | 'runs' | 'files' | 'facts', number>
type Change = { title?: string; pinned?: boolean; archived?: boolean }

/** C203 to C206: what can be done with a thread as a whole. */
export function ThreadMenu({ view, workspace }: { view: ConversationView; workspace: string | undefined }) {
  const { words } = usePage()
  const menu = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  const { change, problem } = useChange(view.id, workspace)
  const { arrange } = words
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) menu.current?.removeAttribute('open')
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [])
  const choose = (what: () => void) => () => {
    menu.current?.removeAttribute('open')
    what()
  }
  const button = (label: string, press: () => void, hint?: string) => (
    <li>
      <button type="button" class="quiet" title={hint} onClick={choose(press)}>
        {label}
      </button>
    </li>
  )
  return (
    <>
      <details
        class="menu"
        ref={menu}
        onKeyDown={(event) => event.key === 'Escape' && choose(() => menu.current?.querySelector('summary')?.focus())()}
      >
        <summary class="nav-link" aria-label={arrange.menu} title={arrange.menu}>
          {dots()}
        </summary>
        <ul class="card small">
          {button(arrange.rename, () => setOpen('rename'))}
          {button(view.pinned ? arrange.unpin : arrange.pin, () => void change({ pinned: !view.pinned }))}
          {button(
            view.archived ? arrange.unarchive : arrange.archive,
            () => void change({ archived: !view.archived }),
            arrange.archiveHint,
          )}
          {view.link !== null && (
            <li>
              <a class="button quiet" href={view.link} target="_blank" rel="noreferrer">
                {words.needs.open}
              </a>
            </li>
          )}
          {button(arrange.delete, () => setOpen('delete'))}
        </ul>
        <Refusal text={problem} />
      </details>
      {open === 'rename' && <Rename view={view} workspace={workspace} close={() => setOpen(null)} />}
      {open === 'delete' && <Delete view={view} workspace={workspace} close={() => setOpen(null)} />}
    </>
  )
}

/** True once it is done. */
function useChange(id: string, workspace: string | undefined) {
  const { client, words } = usePage()
  const [problem, setProblem] = useState<string | null>(null)
  const path = `/api/conversations/${id}${queryOf(workspace)}`
  const send = async (method: 'PATCH' | 'DELETE', body?: Change): Promise<boolean> => {
    const answer = await client.api.ask(method, path, body)
    setProblem(answer.kind === 'refused' ? answer.message : answer.kind === 'away' ? words.banner.offline : null)
    client.refresh()
    return answer.kind === 'ok'
  }
  return { problem, change: (body: Change) => send('PATCH', body), remove: () => send('DELETE') }
}

interface DialogProps {
  view: ConversationView
  workspace: string | undefined
  close: () => void
}

const useDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return dialog
}

function Rename({ view, workspace, close }: DialogProps) {
  const { words } = usePage()
  const dialog = useDialog()
  const [title, setTitle] = useState(view.title)
  const { change, problem } = useChange(view.id, workspace)
  const save = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (title.trim() !== '' && (await change({ title }))) close()
  }
  return (
    <dialog class="card" ref={dialog} onClose={close} aria-labelledby="rename-title">
      <form class="stack" onSubmit={save}>
        <h2 id="rename-title">
          <label for="thread-name">{words.arrange.name}</label>
        </h2>
        <input
          id="thread-name"
          dir="auto"
          value={title}
          maxlength={200}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <Refusal text={problem} />
        <SaveOrCancel close={close} isReady={title.trim() !== ''} />
      </form>
    </dialog>
  )
}

/** C205: says what goes before it goes. */
function Delete({ view, workspace, close }: DialogProps) {
  const { client, words } = usePage()
  const dialog = useDialog()
  const [contents, setContents] = useState<Contents | null>(null)
  const { remove, problem } = useChange(view.id, workspace)
  const { arrange } = words
  useEffect(() => {
    void client.api
      .ask<Contents>('GET', `/api/conversations/${view.id}/contents${queryOf(workspace)}`)
      .then((answer) => answer.kind === 'ok' && setContents(answer.value))
  }, [])
  const goOn = async (): Promise<void> => {
    if (!(await remove())) return
    close()
    location.hash = '#/'
  }
  const kinds = ['messages', 'runs', 'files', 'facts'] as const
  return (
    <dialog class="card" ref={dialog} onClose={close} aria-labelledby="delete-title">
      <div class="stack">
        <h2 id="delete-title">{arrange.deleteTitle}</h2>
        <p>{arrange.deletes(view.title || words.untitled)}</p>
        {contents === null ? (
          <p class="hint">{words.loading}</p>
        ) : (
          <ul class="contents">
            {kinds.map((kind) => contents[kind] > 0 && <li key={kind}>{arrange.contents[kind](contents[kind])}</li>)}
          </ul>
        )}
        {workspace !== undefined && <p class="hint">{arrange.staysThere}</p>}
        <Refusal text={problem} />
        <div class="row">
          <button type="button" class="end" onClick={close}>
            {words.actions.cancel}
          </button>
          <button type="button" class="danger" disabled={contents === null} onClick={goOn}>
            {arrange.deleteNow}
          </button>
        </div>
      </div>
    </dialog>
  )
}
