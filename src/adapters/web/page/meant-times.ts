import { useEffect, useState } from 'preact/hooks'
import { usePage } from './context.ts'
import { clockTime, dateTime, ownZone } from './time.ts'

/** Pause after the last letter before a time is looked at, in ms. */
const typingMs = 200
const halfDayMs = 12 * 3_600_000

/**
 * C901: what typed times are taken for that leave open the half of the day, a line each. `isNew` is
 * true while there is such a line that nobody has seen yet. `once`: a rule is no time here.
 */
export function useMeant({ texts, once }: { texts: readonly string[]; once: boolean }) {
  const { client, state, words } = usePage()
  const [meant, setMeant] = useState<Readonly<Record<string, number | null>>>({})
  const times = texts.map((text) => text.trim()).filter((text) => text !== '')
  const look = async (text: string) => {
    const asked = new URLSearchParams({ text, timeZone: ownZone(), once: String(once) })
    const answer = await client.api.ask<{ at: number | null }>('GET', `/api/times?${asked}`)
    const at = answer.kind === 'ok' ? answer.value.at : null
    if (answer.kind !== 'away') setMeant((now) => ({ ...now, [text]: at }))
    return at
  }
  const unseen = times.filter((text) => !(text in meant))
  useEffect(() => {
    const timer = setTimeout(() => unseen.forEach(look), typingMs)
    return () => clearTimeout(timer)
  }, [unseen.join('\n')])
  const lines = times.flatMap((text) => {
    const at = meant[text] ?? null
    if (at === null) return []
    const shown = dateTime(at, state.language)
    const other = clockTime(at + halfDayMs, state.language)
    return [words.meant(shown, other, new Date(at).getHours() >= 12)]
  })
  const isNew = async () => (await Promise.all(unseen.map(look))).some((at) => at !== null)
  return { lines, isNew }
}
