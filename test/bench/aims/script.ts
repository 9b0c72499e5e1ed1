import { costOf } from '../peers/run.ts'
import type { Figure, World } from './world.ts'

/** The neutral script of `peers` under each strategy, beside the floor. */
const script =
  (strategy: string, most: readonly [time: number, cpu: number]) =>
  async ({ program }: World): Promise<Figure[]> => {
    const floor = await costOf(program, 'floor')
    const clew = await costOf(program, `clew ${strategy}`)
    const beside = (wide: 'warm' | 'wide', what: 'ms' | 'cpuMs', aim: number): Figure => ({
      what: `neutral script, ${strategy}, ${wide === 'warm' ? 1 : 16} at a time: ${what === 'ms' ? 'time' : 'CPU'} a run`,
      now: clew[wide][what] / floor[wide][what],
      aim,
      unit: '× floor',
    })
    return [
      ...[beside('warm', 'ms', most[0]), beside('warm', 'cpuMs', most[1])],
      ...(strategy === 'step' ? [beside('wide', 'ms', 8)] : []),
      { what: `${strategy}: commands to Redis a run`, now: clew.statements, aim: 60, unit: '' },
      { what: `${strategy}: bytes sent a run`, now: clew.bytes / 1_000, aim: 35, unit: 'kB' },
    ]
  }

export const step = script('step', [5.5, 7.5])
export const free = script('free', [4, 5.5])
export const batch = script('batch', [4, 5.5])
