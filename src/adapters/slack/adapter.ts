import type { Channel } from '../../agent/ports/channel.ts'
import { createIntakeLine } from '../channel-kit/intake.ts'
import { safely } from '../channel-kit/send-outcomes.ts'
import { createOnce } from '../channel-kit/tell-once.ts'
import { createApi } from './api.ts'
import { createChannelNames } from './channel-names.ts'
import type { Reply, Slack } from './context.ts'
import { type SlackDeps, traits } from './deps.ts'
import { createFiles } from './files.ts'
import { createHttpEntrance, type Handle } from './http.ts'
import { receive } from './inbound.ts'
import { createInstall } from './install.ts'
import { createSingleInstallation, type Installations } from './installations.ts'
import { limits } from './limits.ts'
import { createMissed } from './missed.ts'
import { createMissing } from './missing.ts'
import { parse } from './parse.ts'
import { createPeople } from './people.ts'
import { createSlackPlans } from './plan.ts'
import { createReading } from './reader.ts'
import { createSlackSender } from './send.ts'
import { createSocketEntrance, type Entrance } from './socket.ts'
import { createStoredInstallations } from './stored-installations.ts'

type Routes = Readonly<Record<string, Handle>>

export interface SlackChannel extends Channel {
  /** What the web server answers for Slack, by path; empty in Socket Mode. */
  readonly routes: Routes
}

/** Slack as a channel like any other, over sockets or over HTTP. */
export function createSlackChannel(deps: SlackDeps): SlackChannel {
  const { log, progressEveryMs = limits.progressEveryMs } = deps
  const { installations, installing } = openInstallations(deps)
  const { entrance, events } = openEntrance(deps)
  const line = createIntakeLine()
  const api = createApi({ ...deps, tokens: installations })
  const people = createPeople(deps, api)
  const slack: Slack = { deps, installations, api, people, hand: line.hand, once: createOnce(deps) }
  const plans = createSlackPlans(slack)
  const missed = createMissed(slack, () => entrance.trouble() === null)

  return {
    ...traits,
    progressEveryMs,
    routes: { ...installing, ...events },
    ...createSlackSender(slack),
    attachments: createFiles(slack),
    ...createReading(slack),
    nameOf: createChannelNames(slack),
    missing: createMissing(slack),
    heard: missed.heard,

    async start(handOver) {
      line.open(handOver)
      await installations.start()
      missed.start()
      await entrance.start((body) => stored(slack, body, missed.unsure), missed.begin)
    },

    show: (progress, conversation) => safely(log, () => plans.show(progress, conversation)),
    // A plan is first shown as a message of its own; only its updates share the budget.
    isNew: plans.isNew,

    health() {
      const trouble = !line.isOpen() ? 'stopped' : (installations.trouble() ?? entrance.trouble())
      if (trouble !== null) return { ok: false, detail: trouble }
      // Of several workspaces one that has taken Clew out says nothing about the others.
      const ok = api.trouble() === null || deps.access.kind !== 'token'
      return { ok, detail: api.trouble() ?? deps.entrance.kind }
    },

    async stop() {
      line.close()
      missed.stop()
      installations.stop()
      await entrance.stop()
    },
  }
}

/** The durable write comes before the acknowledgement, over sockets and over HTTP (rule 1). */
async function stored(slack: Slack, body: unknown, failed: () => void): Promise<Reply> {
  try {
    return await receive(slack, parse(body))
  } catch (error) {
    failed()
    slack.deps.log.warn(
      { err: error },
      'an event was not stored; it is not acknowledged, so Slack sends it again',
    )
    throw error
  }
}

function openEntrance(deps: SlackDeps): { entrance: Entrance; events: Routes } {
  if (deps.entrance.kind === 'socket')
    return { entrance: createSocketEntrance(deps, deps.entrance.appToken), events: {} }
  const { handle, ...entrance } = createHttpEntrance(deps, deps.entrance.signingSecret)
  return { entrance, events: { '/slack/events': handle } }
}

/** One workspace by its token, or everybody who installs Clew. */
function openInstallations(deps: SlackDeps): { installations: Installations; installing: Routes } {
  const { access } = deps
  if (access.kind === 'token')
    return { installations: createSingleInstallation(deps, access.botToken), installing: {} }
  const installations = createStoredInstallations(deps, access.encryptionKey)
  return { installations, installing: createInstall(deps, access, installations.keep) }
}
