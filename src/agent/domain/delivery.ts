import { z } from 'zod'
import { OpinionAsked } from './feedback.ts'
import { MadeFile } from './made-file.ts'
import { Author, Offer, Outcome } from './message.ts'
import { AnsweredQuestion, Question } from './question.ts'
import { Ending, RunStatus } from './run.ts'
import { variant } from './variant.ts'

/**
 * Something to be shown in a thread. It waits in the outbox until the platform has it (rule 7 of
 * the design). Progress is no row of its own: a mark says that a run's progress changed, and what
 * is shown is read when it is sent, so the latest always wins (C49).
 */
export const Delivery = z.object({
  version: z.literal(1),
  id: z.string(),
  conversationId: z.string(),
  at: z.number(),
  /** Whom it is for: who asked, or has to act. What its place refuses goes to them directly. */
  to: Author.nullable().optional(),
  /** They are called by a mention; nobody else ever is (C82, S1). */
  notify: z.boolean().optional(),
  /** The time for which they asked to be called: then they are, quiet hours or not (C491). */
  askedFor: z.number().optional(),
  /** It is quiet when it is sent: nobody is called (C490). */
  hushed: z.literal(true).optional(),
  /**
   * The commit that made it, as W3C Trace Context names it; absent where nothing is traced (C188).
   */
  traceparent: z.string().optional(),
  body: z.discriminatedUnion('kind', [
    variant('message', {
      messageId: z.string(),
      text: z.string(),
      runId: z.string().nullable(),
      offers: z.array(Offer).optional(),
      /** It may be taken back (C940): its place on the platform is kept. */
      withdrawable: z.literal(true).optional(),
      /**
       * File that a tool made. Where files cannot be posted, the text says what it is and how it
       * begins.
       */
      file: MadeFile.optional(),
    }),
    variant('final', {
      messageId: z.string(),
      text: z.string(),
      /** The same in a thread that says already what it is about (C81). */
      brief: z.string().optional(),
      runId: z.string(),
      /** Ending of the run, for what may be offered next. */
      status: RunStatus.optional(),
    }),
    variant('question', { question: Question, runId: z.string() }),
    variant('answered', { answered: AnsweredQuestion, runId: z.string() }),
    /** A question whose run ended before anybody answered, or that is asked again below. */
    variant('closed', {
      question: Question,
      runId: z.string(),
      status: z.union([Ending, z.literal('asked_again')]),
    }),
    /**
     * Decision on what a message offered. The message of this id is edited to say so, and offers
     * what is still open.
     * `instead`: this is said nowhere else. If the message is gone, it is posted anew and has this
     * id from now on.
     */
    variant('decided', {
      messageId: z.string(),
      text: z.string(),
      offers: z.array(Offer).optional(),
      instead: z.string().optional(),
    }),
    /**
     * Deletes the message of this id (C940). `failed`: words for who wants that, where it cannot be
     * done.
     */
    variant('withdrawn', { messageId: z.string(), failed: z.string() }),
    /**
     * `operator`: the platform does not know them; the channel with the operators tells it. `file`:
     * handed over to them alone.
     */
    variant('private', {
      to: z.string(),
      text: z.string(),
      operator: z.boolean().optional(),
      file: MadeFile.optional(),
      /** Their presses are answered to that person alone (C286). */
      offers: z.array(Offer).optional(),
      asks: OpinionAsked.optional(),
      /** Page that they may follow a link to, though nobody wrote its address (C854). */
      link: z.string().optional(),
    }),
    /**
     * The mark on a person's message that says what became of it. `ref` is the message's name on
     * the platform.
     */
    variant('receipt', {
      messageId: z.string(),
      ref: z.string().optional(),
      outcome: Outcome,
      /** It was not said to Clew, so no sign was set on it when it came in (C76). */
      unmarked: z.boolean().optional(),
      /** Ending of the work that the message started. */
      ended: Ending.optional(),
    }),
  ]),
})
export type Delivery = z.infer<typeof Delivery>
export type DeliveryBody = Delivery['body']
