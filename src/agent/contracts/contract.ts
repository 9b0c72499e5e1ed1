import type { z } from 'zod'

/** What a model may answer to one kind of request, of which it is told `I`. */
export interface Contract<S extends z.ZodObject, I> {
  reply: S
  /** What is wrong with a reply of the right shape, in a sentence for the model; null: nothing. */
  rules(reply: z.infer<S>, input: I): string | null
  /**
   * The text for people in a reply that is still being written, null until it is known that they will read it as it is. What is
   * given is whole, but for the text that is written last (C150).
   */
  final?(partial: Readonly<Record<string, unknown>>): unknown
  /** Ways of writing the same that only this contract knows (C11). */
  tidy?(value: unknown): unknown
  /** What a reply that keeps the rules stands for, where that is more than it says. */
  fill?(reply: z.infer<S>, input: I): z.infer<S>
}

/** Ties the types of a contract together: the rules take what the schema reads. */
export const defineContract = <S extends z.ZodObject, I>(
  contract: Contract<S, I>,
): Contract<S, I> => contract
