import type { Answer, Calculation } from '../protocol.ts'
import { compute, inWords } from './compute.ts'
import { Unusable } from './frame.ts'

/**
 * Loads what a calculation needs, and returns a function that carries it out (C880). One that
 * cannot be done is answered in words.
 */
export async function prepared(bytes: Uint8Array): Promise<() => Answer> {
  const calculation: Calculation = JSON.parse(Buffer.from(bytes).toString('utf8'))
  const drawing = calculation.query.chart && (await import('./chart.ts'))
  return () => {
    try {
      return calculated(calculation, drawing?.draw ?? null)
    } catch (error) {
      if (error instanceof Unusable)
        return { said: 'calculated', ok: false, words: `${error.message}.` }
      throw error
    }
  }
}

function calculated(
  { sources, query }: Calculation,
  draw: typeof import('./chart.ts').draw | null,
): Answer {
  const result = compute(sources, query)
  const words = inWords(result)
  if (draw === null || query.chart === null) return { said: 'calculated', ok: true, words }
  return { said: 'calculated', ok: true, words, image: draw(result, query.chart) }
}
