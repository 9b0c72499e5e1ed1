import { useEffect, useState } from 'preact/hooks'
import type { SetupView } from '../views.ts'
import { useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button } from './controls.tsx'
import { useInterval } from './effects.ts'
import { again } from './icons.tsx'
import { ListPage, Refusal } from './list-page.tsx'
import { hashOf } from './route.ts'
import { Connect, Restart, useSetupForm } from './setup-form.tsx'
import { dateTime } from './time.ts'

/** Parts in the order in which people set them up: the model, the channels, then these. */
const later = ['search', 'store', 'settings', 'team']
const rank = ({ part }: Pick<Part, 'part'>) => (part === 'model' ? -2 : later.indexOf(part))
const everyMs = 1_000
type Part = SetupView['parts'][number]
type Finding = Part['findings'][number]

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
  const count = (verdict: Finding['verdict']) =>
    findings.filter((one) => one.verdict === verdict).length
  const time = dateTime(state.language)
  const looked = found?.checkedAt == null ? '' : words.lookedAt(time.format(found.checkedAt))
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
          icon={again()}
          label={words.again}
        />
        <p class="hint" role="status">
          {isLooking ? words.looking : `${looked} ${words.sum(count('bad'), count('note'))}`}
        </p>
      </div>
      <Refusal text={failed} />
      {setup.refused !== null && <p class="hint">{words.form.elsewhere}</p>}
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
          const all = setup.outcomes[part]?.findings ?? last
          return (
            <section key={part} class="card part stack" data-part={part}>
              <h2>{title}</h2>
              {all?.length === 0 && <p class="hint">{words.nothing}</p>}
              {all !== null && <Findings findings={all} isForm={step !== undefined} />}
              {step && <Connect step={step} form={setup} saved={saved} />}
            </section>
          )
        })}
      {findings.length > 0 && <p class="hint">{words.restart}</p>}
    </ListPage>
  )
}

/**
 * Findings of the checks, polled while the page is open. Starts the checks if they have not run
 * yet.
 */
function useChecks() {
  const { client, state } = usePage()
  const [found, setFound] = useState<SetupView | null>(null)
  const { failed, send } = useRequest()
  const check = async (): Promise<void> =>
    setFound((await send<SetupView>('POST', '/api/setup/check')) ?? found)
  const refresh = async (): Promise<void> => {
    const answer = await client.api.ask<SetupView>('GET', '/api/setup')
    if (answer.kind !== 'ok') return
    setFound(answer.value)
    if (answer.value.checkedAt === null && !answer.value.isLooking) await check()
  }
  useEffect(() => void refresh(), [state.language])
  // Goes on where an answer was lost on its way.
  useInterval(refresh, found === null || found.isLooking ? everyMs : null)
  return { found, failed, check }
}

/** Finding without what a form beside it asks for. */
const forForm = (finding: Finding): Finding => {
  const isAsked = finding.verdict === 'note' && finding.env.length > 0
  return { ...finding, env: [], mend: isAsked ? null : finding.mend }
}

function Findings({ findings, isForm }: { findings: readonly Finding[]; isForm: boolean }) {
  return (
    <ul class="stack">
      {findings.map((finding) => (
        <Line key={finding.line} finding={isForm ? forForm(finding) : finding} />
      ))}
    </ul>
  )
}

/** Line of one finding: its state, in words besides the colour, and what to do. */
function Line({ finding }: { finding: Finding }) {
  const { setup: words } = usePage().words
  const { verdict, line, quoted, mend, env, manual } = finding
  return (
    <li class="finding columns" data-verdict={verdict}>
      <strong class="small">{words.verdicts[verdict]}</strong>
      <div class="stack">
        <p lang={quoted ? 'en' : undefined} dir={quoted ? 'ltr' : undefined}>
          <Linked text={line} />
        </p>
        {mend !== null && (
          <p class="hint">
            <Linked text={mend} />
          </p>
        )}
        {env.length > 0 && <Env lines={env} />}
        {manual !== null && (
          <p class="small">
            <a href={hashOf({ view: 'manual', name: manual })}>{words.manual}</a>
          </p>
        )}
      </div>
    </li>
  )
}

/**
 * Text whose addresses can be opened, such as the link that invites Clew to a server, with code
 * between backticks.
 */
function Linked({ text }: { text: string }) {
  return (
    <>
      {text.split(/(https:\/\/[\w\-./?=&+%]*[\w/]|`[^`]*`)/).map((piece) => {
        if (piece.startsWith('`')) return <code key={piece}>{piece.slice(1, -1)}</code>
        if (!piece.startsWith('https://')) return piece
        return (
          <a key={piece} href={piece} target="_blank" rel="noreferrer">
            {piece}
          </a>
        )
      })}
    </>
  )
}

function Env({ lines }: { lines: readonly string[] }) {
  const { setup: words, copy: labels } = usePage().words
  const [copied, setCopied] = useState(false)
  const text = lines.join('\n')
  const copy = async (): Promise<void> => {
    // Without TLS browsers have no clipboard; people can select the lines by hand there.
    await navigator.clipboard?.writeText(`${text}\n`)
    setCopied(navigator.clipboard !== undefined)
  }
  return (
    <div class="env stack">
      <p class="hint">{lines.some((line) => line.endsWith('=')) ? words.env : words.envWhole}</p>
      <div class="row">
        <pre>
          <code>{text}</code>
        </pre>
        <Button
          aria-live="polite"
          onClick={() => void copy().catch(() => undefined)}
          label={copied ? labels.done : labels.code}
        />
      </div>
    </div>
  )
}
