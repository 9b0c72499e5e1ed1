import type { Letter, Report } from '../domain/mission.ts'
import type { Run } from '../domain/run.ts'
import type { CodingTask } from '../domain/task.ts'

/** Report as far as it is written: its size, and its content once all of it can be read. */
export interface SeenReport {
  /** In bytes. */
  size: number
  /** Null while its frontmatter is not closed (C29). */
  report: Report | null
}

/**
 * The place that Clew shares with a coding agent. It only carries: nothing is decided from it that is not in the store
 * (C41).
 *
 * Contract: everything may be called again and comes to the same; everything throws when the place cannot be used.
 */
export interface CodingFolder {
  /** Puts a task before the agent (R126) and brings the mission's own page up to date (R137). The same id again is a no-op. */
  handOver(letter: Letter, mission: CodingTask): Promise<void>
  /** Null while there is no report on the task. */
  look(id: string): Promise<SeenReport | null>
  /** Tells the agent that the mission is over, and its page how it ended. */
  dismiss(letter: Letter, mission: CodingTask, status: Run['status']): Promise<void>
}
