import { useEffect, useState } from 'preact/hooks'
import type { SetupView } from '../views.ts'
import { useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button } from './controls.tsx'
import { useInterval } from './effects.ts'
import { again } from './icons.tsx'
import { ListPage, Refusal } from './list-page.tsx'
import { Findings } from './setup-findings.tsx'
import { Connect, Restart, useSetupForm } from './setup-form.tsx'
import { SharedSignIns } from './setup-sign-ins.tsx'
import { dateTime } from './time.ts'

/** Parts in the order in which people set them up: the model, the channels, then these. */
const later = ['search', 'store', 'settings', 'team']
const rank = ({ part }: Pick<Part, 'part'>) => (part === 'model' ? -2 : later.indexOf(part))
const everyMs = 1_000
/** Age of findings from which on a page that opens looks anew, in ms: somebody may have mended it. */
const oldMs = 60_000
type Part = SetupView['parts'][number]

/**
 * Page of what is connected and what is missing, from the checks, with lines for `.env` (C232,
 * C233).
 */
export function Setup() {
  const { state, words: all } = usePage()
  const { setup: words } = all
  const { found, failed, check } = useChecks()
  const setup = useSetupForm()
  const steps = setup.form?.steps ?? []
  const isLooking = failed === null && (found?.checkedAt == null || found.isLooking)
  const findings = found?.parts.flatMap((part) => part.findings) ?? []
  const count = (verdict: Part['findings'][number]['verdict']) =>
    findings.filter((one) => one.verdict === verdict).length
  const looked =
    found?.checkedAt == null ? '' : words.lookedAt(dateTime(found.checkedAt, state.language))
  const form = (
    <div class="stack">
      <p>{words.lead}</p>
      <div class="row">
        <Button
          disabled={isLooking}
          onClick={() => {
            setup.forget()
            void check()
          }}
          icon={again}
          label={words.again}
        />
        <p class="hint" role="status">
          {isLooking ? words.looking : `${looked} ${words.sum(count('bad'), count('note'))}`}
        </p>
      </div>
      <Refusal text={failed} />
      {setup.refused !== null && (
        <p class="notice waiting small">{words.form.none[setup.refused]}</p>
      )}
      <Restart form={setup} />
    </div>
  )
  const saved = async () => void (await Promise.all([setup.refresh(), check()]))
  const parts = [...steps, ...(found?.parts ?? [])].map(
    ({ part, title }) => found?.parts.find((one) => one.part === part) ?? { part, title },
  )
  return (
    <ListPage
      title={words.title}
      none=""
      count={found === null ? null : 1}
      problem={failed}
      form={form}
    >
      {[...new Map(parts.map((one) => [one.part, one])).values()]
        .toSorted((a, b) => rank(a) - rank(b))
        .map(({ part, title, ...rest }) => {
          const step = steps.find((one) => one.part === part)
          const last = 'findings' in rest ? rest.findings : null
          // A trial that failed leaves what Clew runs with as it was (C702).
          const outcome = setup.outcomes[part]
          const all = outcome?.saved ? outcome.findings : last
          return (
            <section key={part} class="card part stack" data-part={part}>
              <h2>{title}</h2>
              {all?.length === 0 && <p class="hint">{words.nothing}</p>}
              {all !== null && <Findings findings={all} isForm={step !== undefined} />}
              {step && <Connect step={step} form={setup} saved={saved} />}
            </section>
          )
        })}
      <SharedSignIns />
      {findings.length > 0 && <p class="hint">{words.restart}</p>}
    </ListPage>
  )
}

/**
 * Findings of the checks, polled while the page is open. Starts the checks where there are none, and
 * where the page opens with old ones.
 */
function useChecks() {
  const { client, state } = usePage()
  const [found, setFound] = useState<SetupView | null>(null)
  const { failed, send } = useRequest()
  const check = async () => setFound((await send<SetupView>('POST', '/api/setup/check')) ?? found)
  const refresh = async (since: number) => {
    const answer = await client.api.ask<SetupView>('GET', '/api/setup')
    if (answer.kind !== 'ok') return
    setFound(answer.value)
    const { checkedAt, isLooking } = answer.value
    if ((checkedAt === null || checkedAt < since) && !isLooking) await check()
  }
  useEffect(() => void refresh(Date.now() - oldMs), [state.language])
  // Goes on where an answer was lost on its way.
  useInterval(() => refresh(0), found === null || found.isLooking ? everyMs : null)
  return { found, failed, check }
}
