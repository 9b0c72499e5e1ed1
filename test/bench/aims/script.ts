import { costOf } from '../peers/run.ts'
import type { Figure, World } from './world.ts'

/** The neutral script of `peers` under each strategy, beside the floor. */
const script =
  (strategy: string, wide: number) =>
  async ({ program }: World): Promise<Figure[]> => {
    const floor = await costOf(program, 'floor', wide)
    const clew = await costOf(program, `clew ${strategy}`, wide)
    const beside = (what: 'ms' | 'cpuMs', aim: number): Figure => ({
      what: `neutral script, ${strategy}, ${wide} at a time: ${what === 'ms' ? 'time' : 'CPU'} a model call`,
      now: clew[what] / floor[what],
      aim,
      unit: '× floor',
    })
    const times = [beside('ms', wide === 1 ? 3.5 : 4), beside('cpuMs', 4)]
    if (wide > 1) return times
    return [
      ...times,
      { what: `${strategy}: commands to Redis a run`, now: clew.statements, aim: 60, unit: '' },
      { what: `${strategy}: bytes sent a run`, now: clew.bytes / 1_000, aim: 35, unit: 'kB' },
    ]
  }

export const step = script('step', 1)
export const free = script('free', 1)
export const batch = script('batch', 1)
export const wide = script('step', 16)
