import type { Intake } from '../../agent/ports/channel.ts'
import type { Api } from './api.ts'
import type { SlackDeps } from './deps.ts'
import type { HomeTab } from './home.ts'
import type { Installations } from './installations.ts'
import type { Marks } from './marks.ts'
import type { People } from './people.ts'
import type { Welcome } from './welcome.ts'
import type { Whisper } from './whisper.ts'

export interface TakeDeps
  extends Pick<SlackDeps, 'clock' | 'log' | 'conversations' | 'runs' | 'inbox' | 'desk' | 'defaults'> {
  api: Api
  installations: Installations
  people: People
  marks: Marks
  whisper: Whisper
  welcome: Welcome
  homeTab: HomeTab
  intake: () => Intake | null
}
