import type { DocumentProblem } from '../../agent/domain/document.ts'

/** A document that gives no text for a reason that its reader knows. */
export class Unread extends Error {
  readonly problem: Extract<DocumentProblem, 'binary' | 'encoding' | 'old_format' | 'unreadable'>
  readonly encoding: string | undefined

  constructor(problem: Unread['problem'], encoding?: string) {
    super(problem)
    this.problem = problem
    this.encoding = encoding
  }
}
