import type { Channel, ChannelTraits } from '../../agent/ports/channel.ts'
import type { Members } from '../../agent/ports/members.ts'
import type { ChannelDeps } from './deps.ts'
import type { Finding, FindingText } from './findings.ts'

/** What a process opens of a channel, with the paths that the web server answers for it. */
export type OpenedChannel = Channel & {
  readonly routes?: Readonly<Record<string, (request: Request) => Promise<Response>>>
}

/** Settings that no channel has for itself. */
export interface SharedSettings {
  readonly ROLES: readonly string[]
  readonly WEB_URL?: string | undefined
  readonly ENCRYPTION_KEY?: string | undefined
}

/**
 * A channel of Clew's own, as its settings are read, as a process opens it, and as the doctor looks at it. An SDK is loaded by what is
 * opened or looked at, and by nothing else: it takes up to a quarter of a second and 50 MB.
 *
 * @typeParam Settings its own, by the names that begin with the platform's, and those that all have.
 */
export interface OwnChannel<Settings extends SharedSettings> {
  readonly platform: string
  /** What people call it. */
  readonly label: string
  readonly traits: ChannelTraits
  /** Whether the settings connect it to anybody. */
  isConnected(settings: Settings): boolean
  /** What is wrong with settings that are right each by itself, one line each. */
  contradictions(settings: Settings): string[]
  /**
   * Null when the settings connect it to nobody.
   *
   * @param commands the names of the commands that there are.
   */
  open(
    settings: Settings,
    deps: ChannelDeps,
    commands: readonly string[],
  ): Promise<OpenedChannel | null>
  /** For people to sign in with it on the page (S25); null when the settings do not allow it. */
  openMembers(settings: Settings, deps: ChannelDeps): Promise<Members | null>
  /** What `openMembers` needs, and where the platform's app is told of a redirect. */
  readonly signIn: {
    readonly settings: readonly (keyof Settings)[]
    readonly redirects: FindingText
  }
  /** Everything that its API tells of the settings. Never throws. */
  examine(settings: Settings): Promise<Finding[]>
}

/** A line for each setting that is missing, where somebody wants people to sign in. */
export const missingToSignIn = (needed: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name}: is missing; signing in on the page needs it`)
