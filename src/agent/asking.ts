import type { Installation, TeamWords } from './contracts/input.ts'
import type { ProfileIn } from './domain/profile.ts'
import type { UsageLimits } from './domain/usage.ts'
import type { TimesIn } from './domain/zone.ts'
import type { LeaseDeps } from './kernel/lease.ts'
import type { PlaceOf } from './place.ts'
import type { Drafts } from './ports/drafts.ts'
import type { Model } from './ports/model.ts'
import type { Store } from './ports/store.ts'
import type { Recall } from './recall.ts'
import type { RunType } from './run-inputs.ts'
import type { StrategySetting } from './strategies/choose.ts'
import type { Strategies } from './strategies/strategies.ts'
import type { Toolbox } from './tools/registry.ts'

/** Dependencies with which turns and runs ask a model. */
export interface AskingDeps extends Pick<LeaseDeps, 'clock' | 'log'> {
  store: Pick<Store, 'conversations' | 'runs' | 'usage'>
  model: Model
  toolbox: Toolbox
  recall: Recall
  /** Strategy setting for runs that name no strategy themselves. */
  strategy: StrategySetting
  strategies: Strategies
  /** Every kind of work that there is. */
  runTypes: readonly RunType[]
  usage: UsageLimits
  timesIn: TimesIn
  /** Returns the team's own words for a channel, as they are now. */
  team?: (channel: string) => TeamWords
  /** Profiles of channels, as they are now; none where it is left out. */
  profileIn?: ProfileIn
  installation: Installation
  placeOf: PlaceOf
  /** Where texts are shown while they are written; nowhere where it is left out. */
  drafts?: Drafts | undefined
  /** Limit of overheard messages in a prompt, in tokens; 0 turns thread reading off. */
  threadTokens: number
}
