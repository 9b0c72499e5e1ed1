import { z } from 'zod'
import { Author } from './message.ts'

/** Question of a service in the middle of a call, for the person whose work it is (C850). */
export const ServiceQuestion = z.object({
  /** Name within the call: the same question of the same call has the same name again. */
  key: z.string(),
  /** The service's own name, as the team's file has it. */
  server: z.string(),
  /** The service's words; untrusted. */
  text: z.string(),
  /** Answers to choose from, without Clew's own ways out; empty: words are the answer. */
  choices: z.array(z.string()),
  /** True if it asks for something of the person's own: then nobody else sees it (C853). */
  alone: z.boolean(),
  /** Page that the person is to open; handed to them alone (C854). */
  link: z.string().optional(),
})
export type ServiceQuestion = z.infer<typeof ServiceQuestion>

/** Choices that the thread shows; those of a question for one person alone may be personal too. */
export const choicesShown = ({ alone, link, choices }: ServiceQuestion): readonly string[] =>
  alone && link === undefined ? [] : choices

/** Answer to a service's question. */
export const ServiceAnswer = z.object({
  /** Call that met the question. */
  step: z.int(),
  key: z.string(),
  kind: z.enum(['answered', 'declined', 'dismissed']),
  text: z.string(),
  /** Index of the choice; -1: words. */
  choice: z.int(),
  author: Author,
  /** True if the call ended before the service got it; the same call again may use it. */
  unused: z.boolean().optional(),
})
export type ServiceAnswer = z.infer<typeof ServiceAnswer>

/** Questions of services that a task's calls met. */
export const ServiceQuestions = z.object({
  /** Number of times that the person was asked. */
  asked: z.int(),
  /** The one that is open, or was last. */
  last: ServiceQuestion,
  answers: z.array(ServiceAnswer),
})
export type ServiceQuestions = z.infer<typeof ServiceQuestions>
