import type { z } from 'zod'

/** Form of a model's reply to one kind of request, whose input is `I`. */
export interface Contract<S extends z.ZodObject, I> {
  reply: S
  /** Returns the error in a reply of the right shape, in a sentence for the model; `null`: none. */
  rules(reply: z.infer<S>, input: I): string | null
  /**
   * The text for people in a reply that is still being written, null until it is known that they
   * will read it as it is. What is given is whole, but for the text that is written last (C150).
   */
  final?(partial: Readonly<Record<string, unknown>>): unknown
  /** Ways of writing the same that only this contract knows (C11). */
  tidy?(value: unknown): unknown
  /** Returns the full meaning of a reply that keeps the rules, where it means more than it says. */
  fill?(reply: z.infer<S>, input: I): z.infer<S>
}

/** Ties the types of a contract together: the rules take what the schema reads. */
export const defineContract = <S extends z.ZodObject, I>(
  contract: Contract<S, I>,
): Contract<S, I> => contract
