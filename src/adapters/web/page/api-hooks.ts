import { useEffect, useRef, useState } from 'preact/hooks'
import type { CommandView } from '../views.ts'
import type { Method } from './api.ts'
import { newId } from './browser-storage.ts'
import { usePage } from './context.ts'
import { useInterval } from './effects.ts'
import type { Language } from './language.ts'
import { problemOf } from './problem.ts'

/**
 * Interval at which a visible list is fetched again, in ms: due items change it without a notice.
 */
const everyMs = 15_000

/**
 * Fetches from the API on the first render and when one of `when` changes, `pause` ms after the
 * last change. An answer for an earlier path is dropped.
 */
export function useFetched<T>(path: string, when: readonly unknown[] = [], pause = 0) {
  const { client, state } = usePage()
  const [value, setValue] = useState<T | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const asked = useRef(path)
  asked.current = path
  const refresh = async () => {
    const { current } = asked
    const answer = await client.api.ask<T>('GET', current)
    if (asked.current !== current) return
    if (answer.kind === 'ok') setValue(answer.value)
    setProblem(answer.kind === 'refused' ? answer.message : null)
  }
  useEffect(() => {
    if (pause === 0) return void refresh()
    const timer = setTimeout(() => void refresh(), pause)
    return () => clearTimeout(timer)
    // What could not be fetched is fetched once Clew answers again.
  }, [path, state.connection === 'ok', ...when])
  return { value, problem, refresh }
}

/** Fetches a list, also after every change and at an interval of `every` ms. */
export function useList<T>(path: string, every = everyMs) {
  const { state } = usePage()
  const fetched = useFetched<T>(path, [state.language, every === everyMs && state.conversations])
  useInterval(fetched.refresh, every)
  return fetched
}

const known = new Map<Language, readonly CommandView[]>()

/** Commands in the page's language, fetched once `isWanted` is true; empty before. */
export function useCommands(isWanted: boolean): readonly CommandView[] {
  const { client, state } = usePage()
  const { language } = state
  const [, draw] = useState(0)
  useEffect(() => {
    if (!isWanted || known.has(language)) return
    void client.api.ask<{ commands: CommandView[] }>('GET', '/api/commands').then((answer) => {
      if (answer.kind === 'ok') known.set(language, answer.value.commands)
      draw((times) => times + 1)
    })
  }, [isWanted, language])
  return known.get(language) ?? []
}

export type Request = ReturnType<typeof useRequest>
export type Send = Request['send']

/**
 * Sends one request at a time, each under an id of its own. `failed` is the last refusal, in words.
 */
export function useRequest(done?: () => Promise<void>) {
  const { client, words } = usePage()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  async function send<T>(method: Method, path: string, body: object = {}): Promise<T | null> {
    setBusy(true)
    const whole = { ...body, clientMessageId: newId(), ...client.sender() }
    const answer = await client.api.ask<T>(method, path, method === 'DELETE' ? undefined : whole)
    setBusy(false)
    setFailed(problemOf(answer, words))
    // A refusal may be due to somebody else's change, so the list is fetched again.
    if (answer.kind !== 'away') await done?.()
    return answer.kind === 'ok' ? answer.value : null
  }
  return { busy, failed, send, forget: () => setFailed(null) }
}
