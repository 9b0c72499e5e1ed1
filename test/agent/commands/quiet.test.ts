import { describe, expect, it } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { quietTable } from '../../../src/agent/commands/quiet.ts'
import { readQuiet } from '../../../src/agent/commands/quiet-reader.ts'
import { createQuietStore, withQuietHours } from '../../../src/agent/quiet-hours.ts'
import { conversationWith } from './context.ts'

const own = 'Asia/Shanghai'
/** As `18:00-9:00 weekdays`, by day numbers and minutes. */
const shown = (typed: string) => {
  const read = readQuiet(typed, own)
  if (read === null) return null
  const windows = read.windows.map(({ days, from, to }) => `${days.join('')} ${from}-${to}`)
  const zone = read.timeZone === own ? [] : [read.timeZone]
  return [...(read.outside ? ['outside'] : []), ...windows, ...zone].join(', ')
}

describe('quiet hours in words (C490)', () => {
  it.each([
    ['18:00-9:00', '0123456 1080-540'],
    ['22-7', '0123456 1320-420'],
    ['from 10pm until 7am', '0123456 1320-420'],
    ['between 18:00 and 9:00 on weekdays', '12345 1080-540'],
    ['18:00–24:00', '0123456 1080-0'],
    ['weekends', '06 0-1440'],
    ['weekend', '06 0-1440'],
    ['18:00-9:00 and weekends', '0123456 1080-540, 06 0-1440'],
    ['weekends, 18:00-9:00', '06 0-1440, 0123456 1080-540'],
    ['weekdays 18:00-9:00; weekends', '12345 1080-540, 06 0-1440'],
    ['mon, wed and fri 18:00-20:00', '135 1080-1200'],
    ['18:00-20:00 on mon, tue and wed', '123 1080-1200'],
    ['every day except friday', '012346 0-1440'],
    ['outside weekdays 9am to 6pm', 'outside, 12345 540-1080'],
    ['18:00-9:00 Europe/Berlin', '0123456 1080-540, Europe/Berlin'],
    ['晚上10点到早上8点', '0123456 1320-480'],
    ['工作日18:00到9:00，周末', '12345 1080-540, 06 0-1440'],
    ['除了9:00-18:00以外', 'outside, 0123456 540-1080'],
  ])('reads “%s”', (typed, expected) => {
    expect(shown(typed)).toBe(expected)
  })

  it.each([
    // Which half of the day, which days: that may be one or the other.
    ...['9-5', '6 to 9am', 'weekdays, 18:00-9:00', '18:00-9:00 on weekdays, weekends'],
    ...['tonight', 'at night', '18:00', 'after 18:00', '25:00-9:00', '9:00-9:00', '18:00-9:00 BST'],
    ...['18:00-9:00 except holidays', '18:00-9:00 please', 'when I sleep', '', '晚上'],
  ])('does not read “%s”', (typed) => {
    expect(readQuiet(typed, own)).toBeNull()
  })
})

describe('/quiet (C490)', () => {
  const start = () => {
    const notes = new Map<string, string>()
    const store = createQuietStore(
      {
        get: async (...key) => notes.get(key.slice(0, 2).join(' ')) ?? null,
        put: async (workspace, key, value) => void notes.set(`${workspace} ${key}`, value),
        drop: async (workspace, key) => void notes.delete(`${workspace} ${key}`),
      },
      (workspace) => (workspace.startsWith('all:') ? { peopleIn: 'all:people' } : {}),
    )
    return { store, notes, ...conversationWith(commandFrom(quietTable, store)) }
  }

  it('sets, shows and ends a person’s own hours, in words, on their clock', async () => {
    const { say } = start()
    expect(await say('')).toContain('You haven’t set any quiet hours')
    const set = await say('weekdays 18:00-9:00; weekends')
    expect(set).toContain(
      'Ana, your quiet hours are set: weekdays 18:00 to 09:00 the next day; Saturday and Sunday (Asia/Shanghai).',
    )
    expect(set).not.toContain('now')
    expect(await say('')).toContain('weekdays 18:00 to 09:00 the next day')
    expect(await say('9:00-18:00')).toContain('That includes now.')
    expect(await say('off')).toBe('Ana, your quiet hours are off: I’ll ping you at any time.')
    expect(await say('')).toContain('You haven’t set any quiet hours')
  })

  it('sets those of a channel for everybody, and says who did', async () => {
    const { say, store } = start()
    expect(await say('weekends --channel')).toMatch(
      /^Ana set quiet hours for this channel: Saturday and/,
    )
    expect(await say('', { person: { id: 'ben', name: 'Ben' } })).toContain(
      'This channel’s quiet hours: Saturday and Sunday',
    )
    expect(await store.of('web:local', { channel: 'other' })).toBeNull()
    await say('off --channel', { person: { id: 'ben', name: 'Ben' } })
    expect(await store.of('web:local', { channel: 'general' })).toBeNull()
  })

  it('changes nothing where it does not understand all of it, and says how to write it', async () => {
    const { run, notes } = start()
    await run('weekends')
    for (const typed of ['9-5', 'weekends and holidays', '--channel tonight']) {
      const answer = await run(typed)
      expect(answer.ok).toBe(false)
      expect(answer.text).toContain('as quiet hours. Write them like 18:00-9:00')
      expect(answer.text).toContain('/quiet 18:00-9:00, weekends')
    }
    expect([...notes.values()]).toHaveLength(1)
  })

  it('holds for a person wherever the platform knows them, and in one workspace else', async () => {
    const { say, store } = start()
    await say('weekends', { workspace: 'all:one' })
    expect(await store.of('all:two', { person: 'ana' })).not.toBeNull()
    expect(await store.of('web:local', { person: 'ana' })).toBeNull()
  })

  it('is for people, and part of what is kept of them until it is erased (C117, C118)', async () => {
    const { run, say, store } = start()
    expect((await run('weekends', { person: null })).ok).toBe(false)
    await say('weekends')
    const nothing = async () => []
    const privacy = withQuietHours(
      {
        ...{ people: nothing, kept: nothing, erase: nothing },
        handOver: async () => ({ task: 0, schedule: 0, approval: 0, todo: 0, own: 0 }),
      },
      store,
    )
    expect(await privacy.kept('web:local', 'ana')).toMatchObject([{ kind: 'quiet' }])
    expect(await privacy.erase('web:local', 'ana')).toHaveLength(1)
    expect(await privacy.kept('web:local', 'ana')).toEqual([])
    expect(await store.of('web:local', { person: 'ana' })).toBeNull()
  })
})
