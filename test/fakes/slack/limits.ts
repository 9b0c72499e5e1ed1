/** Calls a minute by tier, as Slack counts them: for each method and workspace. */
const tiers = { 1: 1, 2: 20, 3: 50, 4: 100 } as const
const methods: Record<string, keyof typeof tiers> = {
  'apps.connections.open': 1,
  'reactions.remove': 2,
  'canvases.create': 2,
  'canvases.edit': 3,
  'canvases.access.set': 3,
  'canvases.delete': 3,
  'files.list': 3,
  'chat.update': 3,
  'reactions.add': 3,
  'conversations.replies': 3,
  'conversations.history': 3,
  'conversations.info': 3,
  'conversations.open': 3,
  'users.conversations': 3,
  'conversations.members': 4,
  'users.list': 2,
  'agents.sessions.setStatus': 3,
  'chat.postEphemeral': 4,
  'users.info': 4,
  'views.publish': 4,
  'files.getUploadURLExternal': 4,
  'files.completeUploadExternal': 4,
}
/** Posting: one a second and channel, with a little room for bursts. */
const posting = { everyMs: 1_000, burst: 4 }

/**
 * Slack's rate limits with a minute of `minuteMs`, so that a test need not wait for a real one.
 *
 * @returns null when the call may pass, else after how many milliseconds it may be tried again.
 */
export function createRateLimits(minuteMs: number) {
  const windows = new Map<string, number[]>()
  const scale = minuteMs / 60_000
  return (team: string, method: string, channel: string): number | null => {
    const isPost = method === 'chat.postMessage'
    const tier = methods[method]
    if (!isPost && tier === undefined) return null
    const most = isPost ? posting.burst : tiers[tier ?? 4]
    const span = isPost ? posting.burst * posting.everyMs * scale : minuteMs
    const key = `${team} ${method} ${isPost ? channel : ''}`
    const now = Date.now()
    const calls = (windows.get(key) ?? []).filter((at) => at > now - span)
    windows.set(key, calls)
    const [first] = calls
    // A new socket's ticket is allowed in a burst: an app opens two, and again after a restart.
    if (method === 'apps.connections.open' || first === undefined || calls.length < most) {
      calls.push(now)
      return null
    }
    return Math.max(1, first + span - now)
  }
}
