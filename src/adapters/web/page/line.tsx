import { marked, type Term } from '../../../agent/domain/search-words.ts'
import { platformOf, waitsOf } from '../names.ts'
import type { ConversationLine } from '../views.ts'
import { usePage } from './context.ts'
import { Time } from './controls.tsx'
import { pin } from './icons.tsx'
import { hashOf, routeTo } from './route.ts'
import type { State } from './state.ts'
import { shortTime } from './time.ts'

/**
 * Line of one thread. In a search result, `terms` are marked, and the link leads to the matching
 * message (C202).
 */
export function Line(props: {
  line: ConversationLine
  terms?: readonly Term[]
  /** Words that were looked for. */
  sought?: string | undefined
}) {
  const { line, terms = [], sought = '' } = props
  const { client, state, words } = usePage()
  const { found, workspace } = line
  const here = state.route.view === 'thread' && state.route.id === line.id
  // The open thread counts as read; the server learns that a moment later.
  const unread = line.unread && !here
  const waits = othersAnswer(line, state)
  return (
    <li>
      <a
        href={hashOf(routeTo(workspace, line.id, found?.messageId))}
        class={unread ? 'nav-link line unread' : 'nav-link line'}
        aria-current={here ? 'page' : undefined}
        onClick={() => client.seek(sought)}
      >
        <span class="title one-line">
          {line.pinned && (
            <span class="pin" title={words.arrange.pinned}>
              {pin}
              <span class="hidden">{words.arrange.pinned} </span>
            </span>
          )}
          <Marked text={line.title || words.untitled} terms={terms} />
        </span>
        <Time at={line.updatedAt}>{shortTime(line.updatedAt, Date.now(), state.language)}</Time>
        <span class={found === null ? 'last one-line small' : 'last small'}>
          {line.status !== null && <Dot status={line.status} steps={line.steps} />}
          {waits && <>{waitsOf({ mine: false, askedOf: line.askedOf }, words)} · </>}
          {line.steps !== null && <>{words.plan.ended(line.steps.done, line.steps.total)} · </>}
          {line.archived && (
            <>
              <span>{words.arrange.archived}</span>
              {' · '}
            </>
          )}
          {!workspace.startsWith('web:') && (
            <>
              <span class="platform">{platformOf(workspace, words)}</span>
              {' · '}
            </>
          )}
          <Marked text={found?.text ?? line.lastLine} terms={terms} />
        </span>
        {unread && (
          <span class="dot mark">
            <span class="hidden">{words.unread}</span>
          </span>
        )}
      </a>
    </li>
  )
}

/** True if a thread waits for an answer which this person cannot give. */
const othersAnswer = ({ id, status, workspace }: ConversationLine, { needs, view }: State) => {
  if (status !== 'awaiting_clarification') return false
  if (view?.id === id && view.question !== null) return !view.question.mine
  const isMine = needs?.needs.some(
    (need) => need.conversationId === id && need.workspace === workspace,
  )
  return needs?.next === null && !isMine
}

/** Text in which what was looked for is marked. */
export const Marked = ({ text, terms }: { text: string; terms: readonly Term[] }) =>
  terms.length === 0
    ? text
    : marked(text, terms).map(({ text: part, hit }) => (hit ? <mark>{part}</mark> : part))

/** State of a run as a dot. Its name is there for people who do not see colours. */
export function Dot(props: {
  status: ConversationLine['status']
  steps?: ConversationLine['steps']
}) {
  const { status, steps = null } = props
  const { words } = usePage()
  if (status === null) return null
  const name = steps === null ? words.statuses[status] : words.plan.ended(steps.done, steps.total)
  return (
    <span class="dot" data-status={steps === null ? status : 'partly'} title={name}>
      <span class="hidden">{name}</span>
    </span>
  )
}
