import { useState } from 'preact/hooks'
import type { SetupView } from '../views.ts'
import { usePage } from './context.ts'
import { Button } from './controls.tsx'
import { hashOf } from './route.ts'

type Finding = SetupView['parts'][number]['findings'][number]

/** Finding without what a form beside it asks for. */
const forForm = (finding: Finding): Finding => {
  const isAsked = finding.verdict === 'note' && finding.env.length > 0
  return { ...finding, env: [], mend: isAsked ? null : finding.mend }
}

/** Findings, one a line; beside a form without what the form asks for. */
export function Findings({ findings, isForm }: { findings: readonly Finding[]; isForm: boolean }) {
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
export function Linked({ text }: { text: string }) {
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
  const copy = async () => {
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
