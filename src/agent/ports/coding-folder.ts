import type { MadeFile } from '../domain/made-file.ts'
import type { AgentAnswer, AgentProgress, AgentRequest, Letter, Report } from '../domain/mission.ts'
import type { Run } from '../domain/run.ts'
import type { CodingTask } from '../domain/task.ts'

/** Report as far as it is written: its size, and its content once all of it can be read. */
export interface SeenReport {
  /** In bytes. */
  size: number
  /** Null while its frontmatter is not closed (C29). */
  report: Report | null
  /** True if the report cannot grow any more, so that one look is enough. */
  isWhole?: boolean
  /** Time that the agent worked, in ms; absent: all since it got the task. */
  workedMs?: number
  /** Files for the thread, such as the changes of the step; absent: none. */
  files?: readonly MadeFile[]
}

/** An agent at work that is watched: it keeps to its own time. */
export interface SeenWork {
  progress: AgentProgress
  /** Request that it waits with; null: none. */
  asks: AgentRequest | null
}

/**
 * The place that Clew shares with a coding agent. It only carries: nothing is decided from it that
 * is not in the store (C41).
 *
 * Contract: everything may be called again and comes to the same; everything throws when the place
 * cannot be used.
 */
export interface CodingFolder {
  /**
   * Puts a task before the agent (R126) and brings the mission's own page up to date (R137). The
   * same id again is a no-op.
   */
  handOver(letter: Letter, mission: CodingTask): Promise<void>
  /**
   * Null while nothing is known of the task: it is not reported on, or somebody else works on it.
   *
   * @param answers to the agent's requests, all so far; absent: none.
   */
  look(id: string, answers?: readonly AgentAnswer[]): Promise<SeenReport | SeenWork | null>
  /** Tells the agent that the mission is over, and its page how it ended. */
  dismiss(letter: Letter, mission: CodingTask, status: Run['status']): Promise<void>
}
