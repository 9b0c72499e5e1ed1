import type { Channel } from '../../agent/ports/channel.ts'
import { createIntakeLine } from '../channel-kit/intake-line.ts'
import { createOnce } from '../channel-kit/once.ts'
import { safely } from '../channel-kit/send-outcomes.ts'
import { createLinks } from '../links.ts'
import { createApi } from './api.ts'
import type { SlackDeps } from './deps.ts'
import { createFiles } from './files.ts'
import { createHomeTab } from './home.ts'
import { createHttpEntrance, type Handle } from './http.ts'
import { createInbound } from './inbound.ts'
import { createInstall } from './install.ts'
import { createSingleInstallation, type Installations } from './installations.ts'
import { limits } from './limits.ts'
import { parse } from './parse.ts'
import { createPeople } from './people.ts'
import { createSlackPlans } from './plan.ts'
import { createReactions } from './reactions.ts'
import type { Reply } from './scene.ts'
import { createSlackSender } from './send.ts'
import { createSessions } from './session.ts'
import { createSocketEntrance } from './socket.ts'
import { createStoredInstallations } from './stored-installations.ts'
import { createUploads } from './uploads.ts'
import { createWelcome } from './welcome.ts'
import { createWhisper } from './whisper.ts'

export interface SlackChannel extends Channel {
  /** What the web server answers for Slack, by path; empty in Socket Mode. */
  readonly routes: Readonly<Record<string, Handle>>
}

/** Slack as a channel like any other, over sockets or over HTTP. */
export function createSlackChannel(deps: SlackDeps): SlackChannel {
  const { clock, log, notes, apiUrl } = deps
  const { installations, installing } = openInstallations(deps)
  const api = createApi({ tokens: installations, apiUrl, clock, log })
  const people = createPeople({ api, notes, clock })
  const reactions = createReactions(api)
  const uploads = createUploads({ api, notes, log, fetch })
  const sender = createSlackSender({ api, notes, log, reactions, uploads, mayLink: createLinks(deps) })
  const plans = createSlackPlans({ api, notes, sessions: createSessions({ api, clock }) })
  const once = createOnce({ notes, log })
  const whisper = createWhisper(api, once)
  const welcome = createWelcome({ api, people, once, defaults: deps.defaults })
  const homeTab = createHomeTab({ ...deps, api, people })
  const progressEveryMs = deps.progressEveryMs ?? limits.progressEveryMs
  const line = createIntakeLine()
  const inbound = createInbound({
    ...deps,
    api,
    installations,
    people,
    reactions,
    whisper,
    welcome,
    homeTab,
    hand: line.hand,
  })

  const { entrance } = deps
  const way =
    entrance.kind === 'socket'
      ? { ...createSocketEntrance({ ...entrance, ...deps, ...pingOf(deps) }), handle: null }
      : createHttpEntrance({ ...entrance, clock })

  /** The durable write comes before the acknowledgement, in both modes (rule 1). */
  async function receive(body: unknown): Promise<Reply> {
    try {
      return await inbound(parse(body))
    } catch (error) {
      log.warn({ err: error }, 'an event was not stored; it is not acknowledged, so Slack sends it again')
      throw error
    }
  }

  return {
    platform: 'slack',
    progressEveryMs,
    routes: { ...installing, ...(way.handle === null ? {} : { '/slack/events': way.handle }) },

    async start(handOver) {
      line.open(handOver)
      await installations.start()
      await way.start(receive)
    },

    ...sender,
    attachments: createFiles({ tokens: installations, apiUrl, log, see: deps.see, documents: deps.documents }),
    show: (progress, conversation) => safely(log, () => plans.show(progress, conversation)),
    async reserve(workspace, runId) {
      // A plan is first shown as a message of its own; only its updates share the budget.
      if (await plans.isNew(workspace, runId)) return clock.now()
      return await notes.reserve(workspace, 'progress', progressEveryMs, clock.now())
    },

    health() {
      const trouble = !line.isOpen() ? 'stopped' : (installations.trouble() ?? way.trouble())
      if (trouble !== null) return { ok: false, detail: trouble }
      // Of several workspaces one that has taken Clew out says nothing about the others.
      const ok = api.trouble() === null || deps.access.kind !== 'token'
      return { ok, detail: api.trouble() ?? entrance.kind }
    },

    async stop() {
      line.close()
      installations.stop()
      await way.stop()
    },
  }
}

const pingOf = ({ socketPingMs }: SlackDeps) => (socketPingMs === undefined ? {} : { pingMs: socketPingMs })

/** One workspace by its token, or whoever installs Clew. */
function openInstallations(deps: SlackDeps): {
  installations: Installations
  installing: Readonly<Record<string, Handle>>
} {
  const { access, apiUrl, clock, log, notes } = deps
  if (access.kind === 'token') {
    const sleep = (ms: number, signal: AbortSignal) => clock.sleep(ms, signal)
    return {
      installations: createSingleInstallation({ botToken: access.botToken, apiUrl, log, sleep }),
      installing: {},
    }
  }
  const installations = createStoredInstallations({ notes, encryptionKey: access.encryptionKey, clock, log })
  const { keep } = installations
  return {
    installations,
    installing: createInstall({ ...access, apiUrl, clock, log, locale: deps.defaults.locale, keep }),
  }
}
