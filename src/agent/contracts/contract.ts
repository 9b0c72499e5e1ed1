import type { z } from 'zod'

/** What a model may answer to one kind of request, of which it is told `I`. */
export interface Contract<S extends z.ZodObject, I> {
  reply: S
  /** What is wrong with a reply of the right shape, in a sentence for the model; null: nothing. */
  rules(reply: z.infer<S>, input: I): string | null
  /** Ways of writing the same that only this contract knows (C11). */
  tidy?(value: unknown): unknown
}

/** Ties the types of a contract together: the rules take what the schema reads. */
export const defineContract = <S extends z.ZodObject, I>(contract: Contract<S, I>): Contract<S, I> => contract
