import type { ShownImage } from '../domain/attached-image.ts'
import type { PlanTemplate } from '../domain/plan-template.ts'
import type { Clarification, Conclusion, Observation, PlanItem } from '../domain/task.ts'

/** A tool as the model sees it. */
export interface ToolCard {
  name: string
  description: string
  /**
   * Owner and input schema of a tool that others run (S4). The description is data; the schema says
   * how the input is written.
   */
  origin?: ToolOrigin
  /**
   * Strict schema of the input, for a tool of Clew's own that takes more than a line. The input may
   * then be one JSON object as text.
   */
  fields?: Readonly<Record<string, unknown>>
  /** There are too many: the prompt names it, and `find_tool` shows its card. */
  nameOnly?: true
}

/**
 * Whose a tool is that others run, and the JSON schema of its input, which is then one JSON object
 * as text.
 */
export interface ToolOrigin {
  readonly server: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Something that people agreed to have remembered and that holds here (F30). */
export interface FactNote {
  name: string
  key: string | null
  text: string
  /** Id of the person who agreed to it; no prompt shows it. Absent: not known. */
  by?: string
}

/**
 * Settings of the team for Clew's work: instructions in its own words, skills that can be read, and
 * plans that come again.
 */
export interface TeamWords {
  readonly instructions: string | null
  readonly skills: readonly { readonly name: string; readonly description: string }[]
  /** Plans that come again (C124). */
  readonly templates?: readonly PlanTemplate[]
  /** Servers that want a sign-in before their tools can be used (C366). */
  readonly signIns?: readonly string[]
}

/**
 * Commands and folders beside the tools; the same until somebody changes this installation (C148).
 */
export interface Installation {
  /** Commands that people can type, a line each. */
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  /** Folders that can be searched, by name. */
  readonly folders: readonly string[]
}

/** Where something is asked, in people's words. */
export interface Place {
  readonly platform: string
  /** `#general`, or that it is a direct message; null where that is not known. */
  readonly channel: string | null
  /** The thread's title; blank while it has none. */
  readonly thread: string
}

/** Something that was said, for a model. `overheard`: by people, and not to Clew (C71). */
export interface MessageForModel {
  role: 'user' | 'assistant' | 'overheard'
  author: string | null
  text: string
  /** Answers that a question of Clew's offered. */
  choices?: readonly string[] | undefined
  /** Time of an overheard message, as a wall clock shows it. */
  at?: string
  /** Where it was said, unless in the thread itself. */
  where?: 'channel' | 'replied_to' | 'linked'
}

/** Parts of a thread that a model does not get to read. */
export interface Missing {
  /** So many are cut to their beginning, and so many left out. */
  shortened: number
  leftOut: number
  /** More was said between the first and the newest than is read. */
  gap: boolean
  /** Why nothing more could be read; null: nothing was in the way. */
  problem: 'forbidden' | 'away' | null
}

/** Messages of the thread that were not said to Clew, for a task (C71, C72). */
export interface ThreadView {
  /** Before the work was asked for: the same for as long as nobody changes it. */
  before: readonly MessageForModel[]
  /** Since then. */
  meanwhile: readonly MessageForModel[]
  missing: Missing
}

/** Context that the driver adds to a strategy's view of its task. */
export interface Surroundings {
  /** The one model of the list that may answer (C760); absent: any. */
  model?: string
  tools: readonly ToolCard[]
  /** The same for as long as one worker has the task, so that prompts keep their beginning. */
  facts?: readonly FactNote[]
  team?: TeamWords
  installation?: Installation
  place?: Place
  /** Images that people attached to their request, as they are (C160). */
  images?: readonly ShownImage[]
  /** Person who asked; `null` if nobody did. */
  asker?: string | null
  thread?: ThreadView
  /** Event that started the task: its source, and its data. */
  event?: { source: string; text: string } | undefined
  locale: string
  timeZone: string
  now: string
}

/** Input that all contracts of a task share (R26 to R28, F3). */
export interface TaskInput extends Surroundings {
  goal: string
  /** True if people see the plan before anything acts (C764); absent: false. */
  planFirst?: boolean
  unattended: boolean
  /** Why the previous reply to the same request was refused; null when it was not. */
  refusal: string | null
}

export interface LoopInput extends TaskInput {
  /** Words that people were told beside the work; absent: none. */
  said?: readonly { readonly step: number; readonly text: string }[]
  /** Question that stays open while words beside it are answered (C503); null or absent: none. */
  open?: { readonly question: string; readonly choices: readonly string[] } | null
  planItems: readonly PlanItem[]
  currentPlanIndex: number
  observations: readonly Observation[]
  clarifications: readonly Clarification[]
  conclusions: readonly Conclusion[]
  stepCount: number
  maxSteps: number
  successfulSteps: number
  failedSteps: number
}
