import type { DocumentProblem } from '../../agent/domain/document.ts'

/** Document that yields no text, with the reason. */
export class Unread extends Error {
  readonly problem: Extract<DocumentProblem, 'binary' | 'encoding' | 'old_format' | 'unreadable'>
  readonly encoding: string | undefined

  constructor(problem: Unread['problem'], encoding?: string) {
    super(problem)
    this.problem = problem
    this.encoding = encoding
  }
}
