import { BaseSequencer } from 'vitest/node'

/** Suites that take long, the longest first. */
const long = [
  'test/patterns.test.ts',
  'test/store/redis/failover.test.ts',
  'test/browser/needs.test.ts',
  'test/browser/story.test.ts',
  'test/browser/axe.test.ts',
  'test/adapters/web/page.test.ts',
  'test/browser/drafts.test.ts',
  'test/adapters/slack/story.test.ts',
  'test/agent/stories/coding.test.ts',
  'test/adapters/discord/whose-words.test.ts',
  'test/adapters/slack/missed.test.ts',
  'test/adapters/discord/story.test.ts',
  'test/agent/tools/fetch/fetch.test.ts',
  'test/browser/members.test.ts',
  'test/agent/stories/strategies.test.ts',
  'test/adapters/mcp/servers.test.ts',
  'test/agent/drive/nasty.test.ts',
  'test/agent/stories/approvals.test.ts',
  'test/browser/calendar.test.ts',
  'test/adapters/slack/trouble.test.ts',
  'test/schedules/calendar.test.ts',
  'test/adapters/mcp/story.test.ts',
  'test/store/redis/store.test.ts',
  'test/adapters/home/home.test.ts',
  'test/browser/notifications.test.ts',
  'test/browser/schedules.test.ts',
  'test/adapters/coding/runner.test.ts',
  'test/outside/hard-to-break.long.test.ts',
  'test/crash.long.test.ts',
  'test/adapters/discord/away.long.test.ts',
  'test/answer-race.long.test.ts',
  'test/adapters/slack/crash.long.test.ts',
  'test/adapters/discord/crash.long.test.ts',
  'test/outside/damage.long.test.ts',
  'test/store/embedded-torn.long.test.ts',
  'test/store/embedded-loss.long.test.ts',
  'test/connectors/kills.long.test.ts',
  'test/outside/texts.long.test.ts',
  'test/agent/stories/long-runs.long.test.ts',
  'test/adapters/web/approvals-crash.long.test.ts',
  'test/schedules/kills.long.test.ts',
  'test/nasty-texts.long.test.ts',
  'test/faults.long.test.ts',
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
