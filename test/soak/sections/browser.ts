import { type Section, seconds, some } from '../section.ts'
import { runTests } from '../vitest.ts'

/** The whole story in a real browser, on the embedded store, while the process is killed at random instants. */
export const browser: Section = async (soak) => {
  const began = performance.now()
  const kills = some(soak, 100)
  const failures = await runTests(['test/browser/story-kills.long.test.ts'], {
    CLEW_KILLS: String(kills),
    CLEW_REQUIRE_ALL: '1',
  })
  return {
    figures: `${kills} kills -9 in the browser's story, ${seconds(performance.now() - began)}`,
    failures,
  }
}
