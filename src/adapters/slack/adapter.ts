import type { Channel } from '../../agent/ports/channel.ts'
import { createIntakeLine } from '../channel-kit/intake.ts'
import { safely } from '../channel-kit/send-outcomes.ts'
import { createOnce } from '../channel-kit/tell-once.ts'
import { createApi } from './api.ts'
import { createApp, type Entrance } from './bolt.ts'
import { createCanvases } from './canvases.ts'
import { createChannelNames } from './channel-names.ts'
import type { Slack } from './context.ts'
import { type SlackDeps, traits } from './deps.ts'
import { createEarly } from './early.ts'
import { createFiles } from './files.ts'
import { createHttpEntrance, type Handle } from './http.ts'
import { listen } from './inbound.ts'
import { createInstall } from './install.ts'
import { createSingleInstallation, type Installations } from './installations.ts'
import { limits } from './limits.ts'
import { createMissed } from './missed.ts'
import { createMissing } from './missing.ts'
import { createPeople } from './people.ts'
import { createSlackPlans } from './plan.ts'
import { createReading } from './reader.ts'
import { createSlackSender } from './send.ts'
import { createSocketEntrance } from './socket.ts'
import { createStoredInstallations } from './stored-installations.ts'

type Routes = Readonly<Record<string, Handle>>

export interface SlackChannel extends Channel {
  /** Web server routes for Slack, by path. Empty in Socket Mode. */
  readonly routes: Routes
}

/** Creates the Slack channel, over sockets or HTTP. */
export function createSlackChannel(deps: SlackDeps): SlackChannel {
  const { log, progressEveryMs = limits.progressEveryMs } = deps
  const { installations, installing } = openInstallations(deps)
  const line = createIntakeLine()
  const api = createApi({ ...deps, tokens: installations })
  const people = createPeople(deps, api)
  const channels = createChannelNames(deps, api)
  const parts = { installations, api, people, channels, early: createEarly(deps.clock) }
  const slack: Slack = { deps, ...parts, hand: line.hand, once: createOnce(deps) }
  const plans = createSlackPlans(slack)
  const missed = createMissed(slack, () => entrance.trouble() === null)
  const { entrance, events } = openEntrance(deps, missed.begin)
  const app = createApp(slack, entrance, missed.unsure)
  listen(app, slack)

  return {
    ...traits,
    progressEveryMs,
    routes: { ...installing, ...events },
    ...createSlackSender(slack),
    attachments: createFiles(slack),
    ...createReading(slack),
    canvases: createCanvases(slack),
    nameOf: channels.nameOf,
    missing: createMissing(slack),
    heard: missed.heard,

    async start(handOver) {
      line.open(handOver)
      await installations.start()
      missed.start()
      await app.start()
    },

    show: (progress, conversation) => safely(log, () => plans.show(progress, conversation)),
    // A new plan is posted as a message of its own; only its updates share the rate limit.
    isNew: plans.isNew,

    health() {
      const trouble = !line.isOpen() ? 'stopped' : (installations.trouble() ?? entrance.trouble())
      if (trouble !== null) return { ok: false, detail: trouble }
      // With many installations, a workspace that removed Clew does not affect the health of the
      // rest.
      const ok = api.trouble() === null || deps.access.kind !== 'token'
      return { ok, detail: api.trouble() ?? deps.entrance.kind }
    },

    async stop() {
      line.close()
      missed.stop()
      installations.stop()
      await app.stop()
    },
  }
}

/**
 * Opens the entrance for events.
 *
 * @param opened called each time that events can arrive again.
 */
function openEntrance(deps: SlackDeps, opened: () => void): { entrance: Entrance; events: Routes } {
  if (deps.entrance.kind === 'socket')
    return { entrance: createSocketEntrance(deps, deps.entrance.appToken, opened), events: {} }
  const { handle, ...entrance } = createHttpEntrance(deps, deps.entrance.signingSecret, opened)
  return { entrance, events: { '/slack/events': handle } }
}

/**
 * Opens the installations: a single workspace by its token, or every workspace that installs Clew.
 */
function openInstallations(deps: SlackDeps): { installations: Installations; installing: Routes } {
  const { access } = deps
  if (access.kind === 'token')
    return { installations: createSingleInstallation(deps, access.botToken), installing: {} }
  const installations = createStoredInstallations(deps, access)
  return { installations, installing: createInstall(deps, access, installations.keep) }
}
