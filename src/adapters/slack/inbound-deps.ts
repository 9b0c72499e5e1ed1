import type { Intake } from '../../agent/ports/channel.ts'
import type { Gesture } from '../channel-kit/gestures.ts'
import type { Api } from './api.ts'
import type { SlackDeps } from './deps.ts'
import type { HomeTab } from './home.ts'
import type { Installations } from './installations.ts'
import type { Named } from './parse.ts'
import type { People } from './people.ts'
import type { Reactions } from './reactions.ts'
import type { Scene } from './scene.ts'
import type { Welcome } from './welcome.ts'
import type { Whisper } from './whisper.ts'

/** What the ways in share. */
export interface InboundDeps
  extends Pick<SlackDeps, 'clock' | 'log' | 'conversations' | 'runs' | 'inbox' | 'endpoint' | 'defaults'> {
  api: Api
  installations: Installations
  people: People
  reactions: Reactions
  whisper: Whisper
  welcome: Welcome
  homeTab: HomeTab
  hand: Intake
}

/** A gesture of somebody, with what their profile says of them. */
export async function gestureOf(
  { people, defaults }: Pick<InboundDeps, 'people' | 'defaults'>,
  { workspace }: Pick<Scene, 'workspace'>,
  user: Named,
  key: string,
): Promise<Gesture & { timeZone: string }> {
  const known = await people.who(workspace, user.id)
  return {
    workspace,
    person: { id: user.id, name: known?.name ?? user.name },
    bot: false,
    locale: known?.locale ?? defaults.locale,
    timeZone: known?.timeZone ?? defaults.timeZone,
    key,
  }
}
