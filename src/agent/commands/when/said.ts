import { formatWall, wallClockIn } from '../../domain/zone.ts'
import { decide, type TimeFrame } from './decide.ts'
import { plainLine } from './plain.ts'

/** Length of the parts in which a text is read, and their number. */
const partMost = 190
const partsMost = 20

/**
 * Times that stand anywhere in a text, as `2026-03-05 15:00` on its author's clock; a day without
 * an hour is at nine (C895).
 */
export function timesSaid(text: string, frame: TimeFrame): string[] {
  const parts = text.match(/[^.!?。！？\n]{1,190}(?:\.(?=\d)[^.!?。！？\n]{1,60}){0,3}/g) ?? []
  return parts.slice(0, partsMost).flatMap((part) => timesIn(part.slice(0, partMost), frame))
}

function timesIn(line: string, frame: TimeFrame): string[] {
  const { text, run } = plainLine(line)
  return Array.from(text.matchAll(/(?<![\w.:/-])\S/g)).flatMap(({ index }) => {
    const { said, end } = run(index)
    if (end === 0) return []
    const decided = decide(said, frame)
    if (typeof decided === 'string' || decided.when.kind !== 'once') return []
    return formatWall(wallClockIn(decided.timeZone ?? frame.timeZone, decided.when.at))
  })
}
