import type { ScheduleView } from '../views.ts'
import { useList } from './api-hooks.ts'
import { usePage } from './context.ts'
import { AddForm, ListPage } from './list-page.tsx'
import { ScheduleRow } from './schedule-card.tsx'
import { localeOf, ownClocks } from './time.ts'

/** Page of all schedules: the next times, past outcomes, and a form to add one. */
export function Schedules() {
  const { schedules: words } = usePage().words
  const { value, problem, refresh } = useList<{ schedules: ScheduleView[] }>('/api/schedules')
  const schedules = value?.schedules.toSorted((one, other) => dueAt(one) - dueAt(other)) ?? null
  const form = <Add added={refresh} />
  return (
    <ListPage
      title={words.title}
      none={words.none}
      count={schedules?.length ?? null}
      problem={problem}
      form={form}
    >
      <ul>
        {schedules?.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} changed={refresh} />
        ))}
      </ul>
    </ListPage>
  )
}

/** Next time of a schedule; those that are paused or over come last (C534). */
const dueAt = ({ paused, next }: ScheduleView) =>
  (paused ? undefined : next[0]) ?? Number.POSITIVE_INFINITY

/** Form for a new schedule, its time in words or cron. The answer shows how it was understood. */
function Add({ added }: { added: () => Promise<void> }) {
  const { state, words: all } = usePage()
  const words = all.schedules
  return (
    <AddForm
      path="/api/schedules"
      button={words.add}
      fields={[
        { label: words.when, example: words.whenExample, isTime: 'rule' },
        { label: words.what, example: words.whatExample },
      ]}
      hint={words.hint}
      isReady={(typed) => typed.some((text) => text.trim() !== '')}
      body={([when, title]) => (when && title ? { when, title } : { text: when || title })}
      confirm={({ schedule }: { schedule: ScheduleView }) =>
        schedule.when.kind === 'once'
          ? words.understood(nextOf(schedule, state.language), '')
          : words.understood(
              ownClocks(schedule.rule, state.language),
              nextOf(schedule, state.language),
            )
      }
      added={added}
    />
  )
}

const nextOf = ({ next, timeZone }: ScheduleView, language: string) =>
  next[0] === undefined
    ? ''
    : new Intl.DateTimeFormat(localeOf(language), {
        dateStyle: 'full',
        timeStyle: 'short',
        timeZone,
      }).format(next[0])
