import { useRef, useState } from 'preact/hooks'
import type { AuditLineView } from '../views.ts'
import { useFetched } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Time } from './controls.tsx'
import { typedInto } from './effects.ts'
import { ListPage } from './list-page.tsx'
import { hashOf, routeTo } from './route.ts'
import { fullTime } from './time.ts'

/** C718: page of the record of what Clew did, for operators. */
export function AuditPage() {
  const {
    state,
    words: { audit: words },
  } = usePage()
  const [person, setPerson] = useState('')
  const [thread, setThread] = useState('')
  const query = new URLSearchParams({ person, thread, author: state.person.id })
  const { value, problem } = useFetched<{ lines: AuditLineView[] }>(`/api/audit/lines?${query}`, [])
  const { people, threads } = useSeen(value?.lines ?? [])
  const isFiltered = `${person}${thread}` !== ''
  const form = (
    <>
      <p class="hint">{words.lead}</p>
      <div class="row asked">
        <Filter
          label={words.person}
          none={words.everybody}
          names={people}
          value={person}
          set={setPerson}
        />
        <Filter
          label={words.thread}
          none={words.everywhere}
          names={threads}
          value={thread}
          set={setThread}
        />
        <a class="button end" href="/api/audit" download>
          {words.download}
        </a>
      </div>
    </>
  )
  return (
    <ListPage
      title={words.title}
      none={isFiltered ? words.noneFound : words.none}
      count={value?.lines.length ?? null}
      problem={problem}
      form={form}
    >
      <ul>
        {value?.lines.map((line) => (
          <li key={`${line.workspace} ${line.seq}`} class="entry">
            <div class="body">
              <AuditLine line={line} />
            </div>
          </li>
        ))}
      </ul>
    </ListPage>
  )
}

function AuditLine({ line }: { line: AuditLineView }) {
  const {
    state,
    words: { audit: words },
  } = usePage()
  const { workspace, thread, title, at, seq, text } = line
  return (
    <>
      <p dir="auto">{text}</p>
      <p class="hint">
        <Time at={at}>{fullTime(at, state.language)}</Time> · {workspace} · {seq}
        {thread !== null && (
          <>
            {' · '}
            <a href={hashOf(routeTo(workspace, thread))} dir="auto">
              {title || words.open}
            </a>
          </>
        )}
      </p>
    </>
  )
}

type Names = ReadonlyMap<string, string>

/**
 * Names of the people and threads of all rows that were shown, by their ids: the choices of the
 * filters.
 */
function useSeen(lines: readonly AuditLineView[]) {
  const { words } = usePage()
  const seen = useRef({ people: new Map<string, string>(), threads: new Map<string, string>() })
  const { people, threads } = seen.current
  for (const { by, name, thread, title } of lines) {
    if (by !== null) people.set(by, name ?? by)
    if (thread !== null) threads.set(thread, title || words.untitled)
  }
  return seen.current
}

const Filter = (props: {
  label: string
  none: string
  names: Names
  value: string
  set: (value: string) => void
}) => (
  <label class="stack small">
    {props.label}
    <select value={props.value} onChange={typedInto(props.set)}>
      <option value="">{props.none}</option>
      {[...props.names].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
