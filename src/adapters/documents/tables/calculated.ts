import type { Answer, Calculation } from '../protocol.ts'
import { compute, inWords } from './compute.ts'
import { Unusable } from './frame.ts'

/** Carries out a calculation; one that cannot be done is answered in words (C880). */
export function calculated(bytes: Uint8Array): Answer {
  const { sources, query }: Calculation = JSON.parse(Buffer.from(bytes).toString('utf8'))
  try {
    return { said: 'calculated', ok: true, words: inWords(compute(sources, query)) }
  } catch (error) {
    if (error instanceof Unusable)
      return { said: 'calculated', ok: false, words: `${error.message}.` }
    throw error
  }
}
