import { usePage } from './context.ts'
import { placeOf, textOf } from './needs-words.ts'
import { keyOf, waitingNow } from './snoozed.ts'

const linesInSidebar = 3

/** C532: count of everything that waits for a person, and its first lines, above the threads. */
export function NeedsSummary() {
  const { state, words } = usePage()
  const { now, total } = waitingNow(state)
  if (total === 0) return null
  return (
    <section class="needs" aria-labelledby="needs-title">
      <h2 class="small group">
        <a id="needs-title" class="needs-title" href="#/needs">
          {words.needs.title} <span class="tag waiting">{total}</span>
        </a>
      </h2>
      <ul>
        {now.slice(0, linesInSidebar).map((need) => (
          <li key={keyOf(need)}>
            <a class="nav-link need-line one-line small" data-kind={need.kind} href={placeOf(need)}>
              <strong>{words.needs.kinds[need.kind]}</strong>{' '}
              <span dir="auto">{need.title || textOf(need, words)}</span>
            </a>
          </li>
        ))}
        {total > linesInSidebar && (
          <li>
            <a class="nav-link need-line one-line small" href="#/needs">
              {words.needs.all(total)}
            </a>
          </li>
        )}
      </ul>
    </section>
  )
}
