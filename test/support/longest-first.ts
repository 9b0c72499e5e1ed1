import { BaseSequencer } from 'vitest/node'

/**
 * A project at a time, since a process ends when the next file is another project's. Those come first whose files have a process
 * each, and last the one whose files are short.
 */
const projects = ['long', 'alone', 'by-name', 'whole', 'unit', 'long-browser']

/** Suites that take long, the longest first. */
const long = [
  'test/store/redis/failover.test.ts',
  'test/adapters/coding/acp-desk.test.ts',
  'test/outside/setup.test.ts',
  'test/browser/needs.test.ts',
  'test/outside/trials.test.ts',
  'test/browser/story.test.ts',
  'test/extensions.test.ts',
  'test/browser/drafts.test.ts',
  'test/browser/undo.test.ts',
  'test/adapters/web/page.test.ts',
  'test/adapters/slack/story.test.ts',
  'test/browser/axe.test.ts',
  'test/store/redis/store.test.ts',
  'test/adapters/discord/interactions.test.ts',
  'test/agent/turn/corpus.test.ts',
  'test/adapters/slack/trouble.test.ts',
  'test/adapters/mcp/story.test.ts',
  'test/adapters/discord/schedule.test.ts',
  'test/adapters/discord/stop-while-away.test.ts',
  'test/browser/schedules.test.ts',
  'test/browser/setup.test.ts',
  'test/rehearsal.test.ts',
  'test/adapters/discord/story.test.ts',
  'test/adapters/mcp/sign-ins.test.ts',
  'test/adapters/mcp/servers.test.ts',
  'test/browser/lists.test.ts',
  'packages/embedded-valkey/test/embedded.test.ts',
  'test/agent/stories/model-kinds.test.ts',
  'test/browser/find.test.ts',
  'test/adapters/web/who-sees.test.ts',
  'test/adapters/coding/runner.test.ts',
  'test/adapters/home/profiles.test.ts',
  'test/browser/reading.test.ts',
  'test/agent/stories/model-ways.test.ts',
  'test/adapters/slack/missed.test.ts',
  'test/schedules/calendar.test.ts',
  'test/browser/broken-model.test.ts',
  'test/adapters/discord/whose-words.test.ts',
  'test/adapters/documents/process.test.ts',
  'test/adapters/discord/again.test.ts',
  'test/adapters/web/strategies.test.ts',
  'test/connectors/connectors.test.ts',
  'test/adapters/discord/sending.test.ts',
  'test/adapters/slack/entrance.test.ts',
  'test/browser/calendar.test.ts',
  'test/browser/notifications.test.ts',
  'test/agent/stories/strategies.test.ts',
  'test/examples/strategy.test.ts',
  'test/adapters/slack/whose-words.test.ts',
  'test/events/events.test.ts',
  'test/events/senders.test.ts',
  'test/agent/drive/audit.test.ts',
  'test/agent/recording/replay.test.ts',
  'test/adapters/coding/acp.test.ts',
  'test/store/redis/past-decisions.test.ts',
  'test/adapters/home/home.test.ts',
  'test/agent/stories/days.test.ts',
  'test/start.test.ts',
  'test/agent/stories/standing.test.ts',
  'test/agent/stories/elsewhere.test.ts',
  'test/adapters/discord/outsiders.test.ts',
  'test/agent/stories/plan-first.test.ts',
  'test/adapters/slack/gone.test.ts',
  'test/adapters/web/sign-in-with.test.ts',
  'test/adapters/documents/tables.test.ts',
  'test/browser/steer.test.ts',
  'test/outside/health.test.ts',
  'test/architecture.test.ts',
  'test/outside/hard-to-break.long.test.ts',
  'test/certificate/certificate.long.test.ts',
  'test/workers.long.test.ts',
  'test/crash.long.test.ts',
  'test/adapters/discord/away.long.test.ts',
  'test/answer-race.long.test.ts',
  'test/agent/stories/coding-crash.long.test.ts',
  'test/agent/stories/approvals-crash.long.test.ts',
  'test/browser/story-kills.long.test.ts',
  'test/adapters/coding/acp-kill.long.test.ts',
  'test/adapters/mcp/killed.long.test.ts',
  'test/adapters/slack/crash.long.test.ts',
  'test/adapters/discord/crash.long.test.ts',
  'test/outside/damage.long.test.ts',
  'packages/embedded-valkey/test/torn.long.test.ts',
  'packages/embedded-valkey/test/loss.long.test.ts',
  'test/connectors/kills.long.test.ts',
  'test/outside/texts.long.test.ts',
  'test/agent/stories/long-runs.long.test.ts',
  'test/adapters/web/approvals-crash.long.test.ts',
  'test/schedules/kills.long.test.ts',
  'test/nasty-texts.long.test.ts',
  'test/faults.long.test.ts',
]

const placeIn = (names: readonly string[], found: number): number =>
  found === -1 ? names.length : found

/** Begins with the suites that take long: one that is left over would occupy one core while the others have nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const sorted = await super.sort(files)
    const ranked = sorted.map((file) => ({
      file,
      project: placeIn(projects, projects.indexOf(file.project.name)),
      rank: placeIn(
        long,
        long.findIndex((name) => file.moduleId.endsWith(name)),
      ),
    }))
    ranked.sort((a, b) => a.project - b.project || a.rank - b.rank)
    return ranked.map(({ file }) => file)
  }
}
