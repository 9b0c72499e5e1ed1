import { useEffect, useState } from 'preact/hooks'
import type { Answer } from './api.ts'
import { useClient } from './context.ts'
import { newId } from './keep.ts'
import { useWords } from './words.ts'

/** How often a list is fetched anew while it is looked at: what comes due changes it by itself. */
const everyMs = 15_000

/** A list of the API, fetched when it is shown, after every change, and now and then. */
export function useListed<T>(path: string): { value: T | null; problem: string | null; refresh: () => Promise<void> } {
  const { client, state } = useClient()
  const [value, setValue] = useState<T | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const refresh = async (): Promise<void> => {
    const answer = await client.api.ask<T>('GET', path)
    if (answer.kind === 'ok') setValue(answer.value)
    setProblem(answer.kind === 'refused' ? answer.message : null)
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => void refresh(), everyMs)
    return () => clearInterval(timer)
  }, [path, state.language, state.conversations])
  return { value, problem, refresh }
}

/** Sends one gesture under an id of its own; `failed` holds what was refused, in words. */
export function useGesture(done: () => Promise<void>): {
  busy: boolean
  failed: string | null
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T | null>
} {
  const { client, state } = useClient()
  const words = useWords()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  async function send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}): Promise<T | null> {
    setBusy(true)
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const { person, language } = state
    const author = { id: person.id, name: person.name || words.you }
    const whole = { ...body, clientMessageId: newId(), author, locale: language, timeZone }
    const answer: Answer<T> = await client.api.ask<T>(method, path, method === 'DELETE' ? undefined : whole)
    setBusy(false)
    setFailed(answer.kind === 'refused' ? answer.message : answer.kind === 'away' ? words.banner.offline : null)
    if (answer.kind !== 'ok') return null
    await done()
    return answer.value
  }
  return { busy, failed, send }
}

/** The nearest right form as it is typed into a form, where the command goes without saying. */
export const withoutCommand = (problem: string): string => problem.replace(/\/(?:schedule|todo) add /, '')
