import { useState } from 'preact/hooks'
import { whoseIs } from '../names.ts'
import type { ConversationView } from '../views.ts'
import { useFetched } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button, Modal, PlatformLink, SaveOrCancel } from './controls.tsx'
import { typedInto, useMenu } from './effects.ts'
import { dots } from './icons.tsx'
import { Refusal } from './list-page.tsx'
import { problemOf } from './problem.ts'
import { askedBy, queryOf } from './route.ts'

type Contents = Record<'messages' | 'runs' | 'files' | 'facts', number>
interface ThreadProps {
  view: ConversationView
  workspace: string | undefined
}

type Change = { title?: string; pinned?: boolean; archived?: boolean }

/** C203 to C206: actions on a whole thread. `press` returns false if it was refused. */
export function useArranging(view: ConversationView | null, workspace: string | undefined) {
  const { client, words } = usePage()
  const { change, problem } = useChange(view?.id ?? '', workspace)
  const { arrange } = words
  /** Puts a thread away or back; Undo does the other (C693). */
  const archive = async (): Promise<boolean> => {
    if (view === null) return false
    const archived = !view.archived
    if (!(await change({ archived }))) return false
    client.removals.remove({
      path: `archived ${view.id}`,
      text: (archived ? arrange.didArchive : arrange.didUnarchive)(view.title || words.untitled),
      undo: () => change({ archived: !archived }),
    })
    return true
  }
  const actions =
    view === null
      ? []
      : [
          { name: arrange.rename, press: () => client.show('rename') },
          {
            name: view.pinned ? arrange.unpin : arrange.pin,
            press: () => change({ pinned: !view.pinned }),
          },
          {
            name: view.archived ? arrange.unarchive : arrange.archive,
            hint: arrange.archiveHint,
            press: archive,
          },
          { name: arrange.delete, press: () => client.show('delete') },
        ]
  return { actions, archive, problem }
}

/** Line in an open thread that is archived, with the way back. */
export function Archived({ view, workspace }: ThreadProps) {
  const { words } = usePage()
  const { archive, problem } = useArranging(view, workspace)
  if (!view.archived) return null
  return (
    <div class="archived row small">
      <span>{words.arrange.isArchived}</span>
      <Button onClick={archive} label={words.arrange.unarchive} />
      <Refusal text={problem} />
    </div>
  )
}

export function ThreadMenu({ view, workspace }: ThreadProps) {
  const { state, words } = usePage()
  const menu = useMenu()
  const { actions, problem } = useArranging(view, workspace)
  const { arrange } = words
  const choose = (what: () => unknown) => () => {
    menu.close()
    what()
  }
  return (
    <>
      <details class="menu" ref={menu.ref}>
        <summary class="nav-link" aria-label={arrange.menu} title={arrange.menu}>
          {dots}
        </summary>
        <ul class="card small">
          {actions.map(({ name, hint, press }) => (
            <li key={name}>
              <Button class="quiet wide" title={hint} onClick={choose(press)} label={name} />
            </li>
          ))}
          {view.link !== null && (
            <li>
              <PlatformLink link={view.link} style="button quiet wide" />
            </li>
          )}
        </ul>
        <Refusal text={problem} />
      </details>
      {state.dialog === 'rename' && <Rename view={view} workspace={workspace} />}
      {state.dialog === 'delete' && <Delete view={view} workspace={workspace} />}
    </>
  )
}

/** Sends a change; true once it is done. */
function useChange(id: string, workspace: string | undefined) {
  const { client, state, words } = usePage()
  const [problem, setProblem] = useState<string | null>(null)
  const path = `/api/conversations/${id}${queryOf(workspace)}`
  const send = async (method: 'PATCH' | 'DELETE', body?: Change): Promise<boolean> => {
    const asked = method === 'DELETE' ? askedBy(path, state.person) : path
    const answer = await client.api.ask(method, asked, body)
    setProblem(problemOf(answer, words))
    client.refresh()
    return answer.kind === 'ok'
  }
  return { problem, change: (body: Change) => send('PATCH', body), remove: () => send('DELETE') }
}

function Rename({ view, workspace }: ThreadProps) {
  const { client, words } = usePage()
  const [title, setTitle] = useState(view.title)
  const { change, problem } = useChange(view.id, workspace)
  const close = () => client.leave('rename')
  const save = async (event: Event) => {
    event.preventDefault()
    if (title.trim() !== '' && (await change({ title }))) close()
  }
  return (
    <Modal name="rename">
      <form class="stack" onSubmit={save}>
        <h2 id="rename-title">
          <label for="thread-name">{words.arrange.name}</label>
        </h2>
        <input
          id="thread-name"
          dir="auto"
          value={title}
          maxlength={200}
          onInput={typedInto(setTitle)}
        />
        <Refusal text={problem} />
        <SaveOrCancel close={close} isReady={title.trim() !== ''} />
      </form>
    </Modal>
  )
}

/** C205: dialog that says what will be deleted. */
function Delete({ view, workspace }: ThreadProps) {
  const { client, state, words } = usePage()
  const [isSure, setSure] = useState(false)
  const { archive } = useArranging(view, workspace)
  const contents = useFetched<Contents>(
    `/api/conversations/${view.id}/contents${queryOf(workspace)}`,
  ).value
  const { remove, problem } = useChange(view.id, workspace)
  const { arrange } = words
  const close = () => client.leave('delete')
  const goOn = async () => {
    if (!(await remove())) return
    close()
    location.hash = '#/'
  }
  const putAway = async () => {
    if (await archive()) close()
  }
  const whose = whoseIs(view, state.person.id, words)
  const kinds = ['messages', 'runs', 'files', 'facts'] as const
  return (
    <Modal name="delete">
      <div class="stack">
        <h2 id="delete-title">{arrange.deleteTitle}</h2>
        {whose !== null && <p class="problem">{whose}</p>}
        <p>{arrange.deletes(view.title || words.untitled)}</p>
        {contents === null ? (
          <p class="hint">{words.loading}</p>
        ) : (
          <ul class="contents">
            {kinds.map(
              (kind) =>
                contents[kind] > 0 && <li key={kind}>{arrange.contents[kind](contents[kind])}</li>,
            )}
          </ul>
        )}
        <p class="hint">{arrange.stays}</p>
        {workspace !== undefined && <p class="hint">{arrange.staysThere}</p>}
        {!view.archived && (
          <p class="row">
            <span class="hint">{arrange.archiveInstead}</span>
            <Button onClick={putAway} label={arrange.archive} />
          </p>
        )}
        <label class="row tight">
          <input
            type="checkbox"
            checked={isSure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
          {arrange.sure}
        </label>
        <Refusal text={problem} />
        <div class="row">
          <Button class="end" onClick={close} label={words.actions.cancel} />
          <Button
            class="danger"
            disabled={contents === null || !isSure}
            onClick={goOn}
            label={arrange.deleteNow}
          />
        </div>
      </div>
    </Modal>
  )
}
