import { expect, it } from 'vitest'
import { raceForAnswers } from './support/answer-race.ts'
import { ownDatabase } from './support/own-database.ts'
import { describeWith } from './support/programs.ts'

describeWith(
  'redis-server',
  'questions of three platforms that are answered at once from all three',
  () => {
    it('count once each, leave nothing behind, and leave the queue and open pages (C254, C190, R18)', async () => {
      const race = await raceForAnswers((await ownDatabase()) ?? '', 20)
      expect(race).toMatchObject({ questions: 60, calls: 60, effects: 60, orphans: [] })
      expect(race.gone).toHaveLength(60)
      expect(race.unshown).toHaveLength(60)
      expect(Object.values(race.won).reduce((sum, count) => sum + count)).toBe(60)
    })
  },
)
