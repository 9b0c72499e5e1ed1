import { BaseSequencer } from 'vitest/node'

/** Suites that take long, the longest first. */
const long = [
  'test/patterns.test.ts',
  'test/crash.test.ts',
  'test/outside/hard-to-break.long.test.ts',
  'test/browser/axe.test.ts',
  'test/adapters/discord/away.long.test.ts',
  'test/adapters/slack/crash.long.test.ts',
  'test/adapters/discord/crash.long.test.ts',
  'test/outside/damage.long.test.ts',
  'test/store/embedded-torn.long.test.ts',
  'test/browser/story.test.ts',
  'test/browser/drafts.test.ts',
  'test/store/embedded-loss.long.test.ts',
  'test/connectors/kills.long.test.ts',
  'test/outside/texts.long.test.ts',
  'test/store/redis/store.test.ts',
  'test/agent/stories/coding.test.ts',
  'test/adapters/mcp/servers.test.ts',
  'test/agent/stories/long-runs.test.ts',
  'test/adapters/slack/trouble.test.ts',
  'test/browser/notifications.test.ts',
  'test/adapters/web/approvals-crash.long.test.ts',
  'test/schedules/kills.long.test.ts',
  'test/agent/stories/approvals.test.ts',
  'test/adapters/web/page.test.ts',
  'test/nasty-texts.long.test.ts',
  'test/faults.long.test.ts',
  'test/adapters/mcp/story.test.ts',
]

/** Begins with the suites that take long: one that is left over would occupy one core while the others have nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const sorted = await super.sort(files)
    const rank = (path: string) => {
      const index = long.findIndex((name) => path.endsWith(name))
      return index === -1 ? long.length : index
    }
    return [...sorted].sort((a, b) => rank(a.moduleId) - rank(b.moduleId))
  }
}
