import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/agent/domain/task.ts'
import { recallOf } from '../../../src/agent/drive/recall-tool.ts'
import { shownResult } from '../../../src/agent/model/fence.ts'
import { acts, closes, decides, ends, plans, replans } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'
import { act, begun, observed, planned, play, replan, stepDone } from '../strategies/support.ts'
import { toolContext } from '../tools/context.ts'

const start = useClew()

it('lets a task read again what its prompts have folded (rule 3)', async () => {
  const reads = { name: 'venues', effect: 'none', description: 'Lists.' } as const
  const tool = { ...reads, run: async () => ({ ok: true, text: 'Casa Azul, 1900 euros' }) }
  const clew = await start({ tools: [tool] })
  clew.model.on('decision', decides.run('Compare the venues'))
  clew.model.on('plan', plans('Look', 'Compare'))
  clew.model.on(
    'thought',
    acts('all', 'venues', 'Look'),
    closes('Seen.'),
    acts('1', 'recall', 'Compare'),
    closes('Done.'),
  )
  clew.model.on('replan', replans('Compare'), ends('Casa Azul.'))
  await clew.say('Compare the venues')
  await clew.idle()
  expect(await clew.run()).toMatchObject({ status: 'succeeded' })
  const offered = clew.model.calls.flatMap(({ contract, input }) =>
    contract === 'thought' && 'tools' in input
      ? [input.tools.some(({ name }) => name === 'recall')]
      : [],
  )
  expect(offered).toEqual([true, true, true, true])
  expect((await clew.task()).observations[1]).toMatchObject({
    ...{ tool: 'recall', ok: true, result: 'Casa Azul, 1900 euros' },
  })
})

describe('recall', () => {
  const folded = play(
    planned(['Look']),
    act('venues', 'all'),
    observed(false, 'closed today'),
    stepDone(),
    replan('Compare'),
  )

  it('is there from the beginning, so that the list of tools stays as it is (C140); not for a mission', () => {
    expect(recallOf(begun())).not.toBeNull()
    expect(recallOf({ ...folded, strategy: 'coding' } as unknown as Task)).toBeNull()
  })

  it('gives a result as it was', async () => {
    expect(await recallOf(folded)?.run('step 1', toolContext())).toEqual({
      ok: false,
      text: 'closed today',
    })
  })

  it.each(['', 'all', '2', '1 2'])('says which steps there are for %j', async (input) => {
    const text = 'there is no such step; the steps are 1'
    expect(await recallOf(folded)?.run(input, toolContext())).toEqual({ ok: false, text })
  })

  describe('of a long result', () => {
    const lines = Array.from({ length: 6_000 }, (_, at) => `line ${at}`).join('\n')
    const long = (text: string) =>
      play(planned(['Look']), act('venues', 'all'), observed(true, text), stepDone())
    const read = async (text: string) => {
      let seen = ''
      for (let input = '1'; ; ) {
        const { text: page = '' } = (await recallOf(long(text))?.run(input, toolContext())) ?? {}
        const [, body = '', next] =
          /^(?:Characters \d+ to \d+ of \d+:\n)?([\s\S]*?)(?:\n\[\d+ of \d+ characters follow; (.*)\])?$/.exec(
            page,
          ) ?? []
        seen += body
        const [, from] = /recall "1 from (\d+)" reads on/.exec(next ?? '') ?? []
        if (from === undefined) return { seen, next }
        input = `1 from ${from}`
      }
    }

    it('reads on to its end, page by page, and says what follows (C494)', async () => {
      expect(await read(lines)).toEqual({ seen: lines, next: undefined })
    })

    it('reads on in what was kept, and says that there was more (C494)', async () => {
      const { seen, next } = await read('x'.repeat(250_000))
      expect([seen.length, next]).toEqual([60_000, expect.stringContaining('not kept')])
    })

    it('shows so much at a time as the note of the cut says, so that pages read at once leave no gap (C494)', async () => {
      const tool = recallOf(long(lines))
      const [, from, most] = /"1 from (\d+)" to read on, (\d+) at/.exec(shownResult(lines, 1)) ?? []
      const [start, step] = [Number(from), Number(most)]
      const pages = Array.from({ length: Math.ceil((lines.length - start) / step) }, (_, at) =>
        tool?.run(`1 from ${start + at * step}`, toolContext()),
      )
      const texts = (await Promise.all(pages)).map((page) =>
        page?.text.replace(/^.*\n/, '').replace(/\n\[\d+ of .*$/, ''),
      )
      expect(lines.slice(0, start) + texts.join('')).toBe(lines)
    })

    it.each(['1 from 9000', 'step 1 from 9000', '#1, FROM 9000'])('reads %j', async (input) => {
      const answer = await recallOf(long('x'.repeat(12_345)))?.run(input, toolContext())
      expect(answer).toEqual({
        ok: true,
        text: `Characters 9000 to 12345 of 12345:\n${'x'.repeat(3_345)}`,
      })
    })

    it.each([12_345, 99_999])('has nothing from %i on', async (from) => {
      const answer = await recallOf(long('x'.repeat(12_345)))?.run(`1 from ${from}`, toolContext())
      expect(answer).toMatchObject({ ok: false, text: expect.stringContaining('12345 of 12345') })
    })
  })

  it('keeps less of a long result where the others leave no room, and changes none of before (C493)', () => {
    const all = Array.from({ length: 10 }).flatMap((_, at) => [
      act('venues', `page ${at}`),
      observed(true, `${at}`.repeat(60_000)),
    ])
    const { observations } = play(planned(['Look']), ...all)
    const lengths = observations.map(({ result }) => Math.round(result.length / 1_000))
    expect(lengths).toEqual([...Array(8).fill(60), 10, 10])
    expect(observations[9]?.result).toContain('[cut: 50000 of 60000 characters are not shown]')
  })
})
