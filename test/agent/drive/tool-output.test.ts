import { expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, ends } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'
import { working } from './story.ts'

const start = useClew()
const fileOf = (name: string, type: string, content: string | Buffer) => ({
  ...{ name, type },
  base64: Buffer.from(content).toString('base64'),
})

it('hands over what a tool made: the file itself to the people, how it begins to the history (R90)', async () => {
  const maker: Tool = {
    name: 'maker',
    effect: 'none',
    description: 'Makes files.',
    run: async () => ({
      ok: true,
      text: 'Two files were made.',
      files: [
        fileOf('weeks.csv', 'text/csv', 'week,sign-ups\n40,88\n```'),
        fileOf('chart.png', 'image/png', Buffer.from([1, 2, 3])),
        fileOf('film.mp4', 'video/mp4', Buffer.alloc(2 * 1024 * 1024)),
      ],
    }),
  }
  const clew = await working(start, { tools: [maker] }, 'Draw')
  clew.model.on('thought', acts('all', 'maker'), closes('drawn'))
  clew.model.on('replan', ends('Here they are.'))
  const taken = await clew.say('Draw the weeks')
  await clew.idle()
  const handed = clew.channel.shown.flatMap(({ delivery: { body } }) =>
    body.kind === 'message' && body.file !== undefined ? [body] : [],
  )
  expect(handed.map(({ file }) => file?.name)).toEqual(['weeks.csv', 'chart.png'])
  expect(handed[0]?.text).toContain('40,88')
  expect(handed[1]?.text).toContain('chart.png** (1 kB)')
  const thought = clew.model.calls.findLast(({ contract }) => contract === 'thought')
  expect(JSON.stringify(thought?.input)).toContain('too large or too many to hand over: film.mp4')
  expect(JSON.stringify(thought?.input)).not.toContain(handed[1]?.file?.base64)
  const id = 'conversationId' in taken ? taken.conversationId : ''
  const state = await clew.store.conversations.state('test:team', id, 100)
  expect(state?.messages.filter(({ text }) => text.startsWith('I made **'))).toHaveLength(2)
})
