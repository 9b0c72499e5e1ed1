import { useState } from 'preact/hooks'
import type { SharedSignInsView } from '../views.ts'
import { useFetched, useRequest } from './api-hooks.ts'
import { usePage } from './context.ts'
import { Button } from './controls.tsx'
import { useInterval } from './effects.ts'
import { Refusal } from './list-page.tsx'

const path = '/api/setup/sign-ins'
const everyMs = 3_000

/**
 * Sign-ins that all people share, for those who may write settings (C925); nothing where there are
 * none.
 */
export function SharedSignIns() {
  const { signIns: words } = usePage().words.setup
  const { value, refresh } = useFetched<SharedSignInsView>(path)
  const { busy, failed, send } = useRequest(refresh)
  const [begun, setBegun] = useState<{ server: string; link: string } | null>(null)
  useInterval(refresh, begun === null ? null : everyMs)
  const servers = value?.servers ?? []
  if (servers.length === 0) return null
  const begin = async (server: string) => {
    const answer = await send<{ link: string }>('POST', `${path}/${server}`)
    if (answer !== null) setBegun({ server, link: answer.link })
  }
  const end = async (server: string) => {
    setBegun(null)
    await send('DELETE', `${path}/${server}`)
  }
  return (
    <section class="card part stack" data-part="sign-ins">
      <h2>{words.title}</h2>
      <p class="hint">{words.lead}</p>
      <Refusal text={failed} />
      {servers.map(({ server, isSignedIn }) => (
        <div class="row" key={server}>
          <p>{isSignedIn ? words.isIn(server) : words.isOut(server)}</p>
          {isSignedIn && (
            <Button
              class="quiet"
              disabled={busy}
              onClick={() => void end(server)}
              label={words.end}
            />
          )}
          {!isSignedIn && begun?.server === server && (
            <a class="button" href={begun.link} target="_blank" rel="noreferrer">
              {words.open}
            </a>
          )}
          {!isSignedIn && begun?.server !== server && (
            <Button disabled={busy} onClick={() => void begin(server)} label={words.begin} />
          )}
        </div>
      ))}
    </section>
  )
}
