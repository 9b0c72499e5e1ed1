import type { Draft } from '../../agent/ports/drafts.ts'
import type { MayLink } from '../safety.ts'
import type { Broadcaster } from './broadcaster.ts'
import { memberWorkspace, type WebDeps, webWorkspace } from './deps.ts'
import { limits } from './limits.ts'
import { renderMarkdown } from './markdown.ts'
import { linksOf } from './render.ts'

/** Lifetime of a thread's cached links for its drafts, in ms. */
const linksKeptMs = 60_000

interface DraftPlace {
  workspace: string
  mayLink: MayLink
}

/**
 * Sends drafts to every open tab, as the same safe HTML, with the same links, as the final message
 * (C150, S1, S2). If a text grows faster than it can be rendered, only its newest version is sent.
 * A no-op while no tab is open.
 */
export function createDraftViews(
  { store, linkHosts, clock, log }: WebDeps,
  { tell, isHeard }: Broadcaster,
) {
  const newest = new Map<string, Draft>()
  const links = new Map<string, { place: DraftPlace | null; until: number }>()

  /** Place of the thread; null if it is not on the page, so that nobody sees its drafts. */
  async function placeOf(id: string) {
    const known = links.get(id)
    if (known !== undefined && known.until > clock.now()) return known.place
    const of = (workspace: string) => store.conversations.state(workspace, id, limits.messages)
    const state = (await of(webWorkspace)) ?? (await of(memberWorkspace))
    const place =
      state === null
        ? null
        : {
            workspace: state.conversation.address.workspace,
            mayLink: linksOf(state.messages, linkHosts),
          }
    for (const [other, { until }] of links) if (until <= clock.now()) links.delete(other)
    links.set(id, { place, until: clock.now() + linksKeptMs })
    return place
  }
  async function show(conversationId: string) {
    const place = await placeOf(conversationId)
    const { text = null } = newest.get(conversationId) ?? {}
    newest.delete(conversationId)
    if (place === null) return
    const html = text === null ? null : renderMarkdown(text, place.mayLink)
    tell({ kind: 'draft', workspace: place.workspace, conversationId, html })
  }
  return (draft: Draft) => {
    if (!isHeard()) return
    const { conversationId } = draft
    const isUnderWay = newest.has(conversationId)
    newest.set(conversationId, draft)
    if (isUnderWay) return
    show(conversationId).catch((error) => {
      newest.delete(conversationId)
      log.debug({ err: error, conversationId }, 'what is being written could not be shown')
    })
  }
}
