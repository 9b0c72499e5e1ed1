import { useState } from 'preact/hooks'
import type { AuditLineView } from '../views.ts'
import { useFetched } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Time } from './controls.tsx'
import { ListPage } from './list-page.tsx'
import { hashOf, routeTo } from './route.ts'
import { fullTime } from './time.ts'

/** Pause after the last key until a filter is applied, in ms. */
const typingMs = 300

/** C718: page of the record of what Clew did, for operators. */
export function AuditPage() {
  const { audit: words } = usePage().words
  const [person, setPerson] = useState('')
  const [thread, setThread] = useState('')
  const query = new URLSearchParams({ person: person.trim(), thread: thread.trim() })
  const { value, problem } = useFetched<{ lines: AuditLineView[] }>(
    `/api/audit/lines?${query}`,
    [],
    typingMs,
  )
  const isFiltered = `${person}${thread}`.trim() !== ''
  const form = (
    <>
      <p class="hint">{words.lead}</p>
      <div class="row asked">
        <Filter label={words.person} value={person} set={setPerson} />
        <Filter label={words.thread} value={thread} set={setThread} />
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
  const { state, words: all } = usePage()
  const { audit: words } = all
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

const Filter = (props: { label: string; value: string; set: (value: string) => void }) => (
  <label class="stack small">
    {props.label}
    <input
      type="search"
      value={props.value}
      onInput={({ currentTarget }) => props.set(currentTarget.value)}
    />
  </label>
)
