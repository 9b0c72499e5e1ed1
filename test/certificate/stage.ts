import type { Said, Shown } from './count.ts'
import type { planOf, Saying, Size } from './plan.ts'

/** A stand-in of a platform, as the certificate plays it. */
export interface Stage {
  /** Environment by which the system finds the stand-in. */
  keys: Readonly<Record<string, string>>
  /** Everything that people wrote until now. */
  said: readonly Said[]
  /** Writes a message; resolves when the platform has delivered it, or has given up. */
  speak(saying: Saying): Promise<void>
  /** The system's messages, as people see them now. */
  shown(): Shown[]
  /** True if the system's process can be told of events; asked once its port answers. */
  listens(): boolean
  /** Takes the API away; events still come. */
  cut(): void
  mend(): void
  stop(): Promise<unknown>
}

/** Everything that decides what a stand-in does. */
export interface StageOptions {
  /** Port of the system's process. */
  port: number
  plan: ReturnType<typeof planOf>
  size: Size
}
