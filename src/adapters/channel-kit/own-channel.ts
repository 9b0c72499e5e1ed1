import type { Channel, ChannelTraits } from '../../agent/ports/channel.ts'
import type { Members, PlacesSource } from '../../agent/ports/members.ts'
import type { Texts } from '../../locales/texts.ts'
import type { ChannelDeps } from './deps.ts'
import type { Finding, FindingText } from './findings.ts'

/** Channel as a process opens it, with the paths that the web server serves for it. */
export type OpenedChannel = Channel & {
  readonly routes?: Readonly<Record<string, (request: Request) => Promise<Response>>>
}

/** Settings that all channels share. */
export interface SharedSettings {
  readonly ROLES: readonly string[]
  readonly WEB_URL?: string | undefined
  readonly ENCRYPTION_KEY?: string | undefined
}

/** Steps that connect a channel: first ones, a question for each setting, and last ones. */
export interface ChannelGuide {
  /** Page of the platform where its app is made. */
  readonly link: string
  readonly before: string
  readonly questions: readonly (readonly [setting: string, question: string])[]
  readonly after: string
}

/**
 * Chat channel that ships with Clew: how to read its settings, open it, and check it with `doctor`.
 * Its SDK is loaded only when it is opened or checked, since loading takes up to 250 ms and 50 MB.
 *
 * @typeParam Settings the channel's own settings, prefixed with the platform's name, and the shared
 * ones.
 */
export interface OwnChannel<Settings extends SharedSettings> {
  readonly platform: string
  /** Name for people. */
  readonly label: string
  readonly traits: ChannelTraits
  /** True if the settings connect the channel to a workspace. */
  isConnected(settings: Settings): boolean
  /** Returns one line for each conflict between settings that are valid by themselves. */
  contradictions(settings: Settings): string[]
  /**
   * Opens the channel. Returns `null` if the settings do not connect it.
   *
   * @param commands names of the existing commands.
   */
  open(
    settings: Settings,
    deps: ChannelDeps,
    commands: readonly string[],
  ): Promise<OpenedChannel | null>
  /**
   * Opens sign-in to the page with this platform (S25). Returns `null` if the settings do not allow
   * it.
   */
  openMembers(settings: Settings, deps: ChannelDeps): Promise<Members | null>
  /**
   * Opens what says which places people see now, in any process (S83). Returns `null` if the
   * settings do not connect it.
   */
  openPlaces(
    settings: Settings,
    deps: Pick<ChannelDeps, 'alarms' | 'notes' | 'clock' | 'log'>,
  ): Promise<PlacesSource | null>
  /**
   * Settings that `openMembers` needs, and where to register the redirect in the platform's app.
   */
  readonly signIn: {
    readonly settings: readonly (keyof Settings)[]
    readonly redirects: FindingText
  }
  /** Way to connect it, for `clew setup` and the form on the page. */
  guide(words: Texts['setupGuide']): Promise<ChannelGuide>
  /** Checks the settings against the platform's API. Never throws. */
  examine(settings: Settings): Promise<Finding[]>
}

/** Returns one line for each setting that sign-in needs and that is missing. */
export const missingToSignIn = (needed: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name}: is missing; signing in on the page needs it`)
