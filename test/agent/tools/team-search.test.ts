import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Address,
  conversationIdOf,
  newConversation,
} from '../../../src/agent/domain/conversation.ts'
import { countIn } from '../../../src/agent/domain/search-words.ts'
import type { Places, PlacesSource } from '../../../src/agent/ports/members.ts'
import type { ConversationState } from '../../../src/agent/ports/store.ts'
import type { ToolContext } from '../../../src/agent/ports/tool.ts'
import { createTeamSearchTool, type TeamSearchDeps } from '../../../src/agent/tools/team-search.ts'
import { createSights } from '../../../src/compose/sights.ts'
import { toolContext } from './context.ts'

const at = Date.UTC(2026, 2, 4, 2)
const direct = 'D-'

interface Thread {
  address: Address
  said: readonly string[]
}

interface World {
  channels: Record<string, { members: readonly string[]; isOpen: boolean }>
  threads: readonly Thread[]
  isAway?: boolean
}

const message = (id: string, text: string, time: number) => ({
  version: 1 as const,
  ...{ id, role: 'user' as const, author: { id: 'ben', name: 'Ben' }, text, at: time },
  ...{ source: { kind: 'event' as const, refId: id }, questionId: null },
})

function stateOf({ address, said }: Thread, n: number): ConversationState {
  const id = conversationIdOf(address.workspace, address.channel, address.thread ?? '')
  const conversation = newConversation({ id, address, at: at + n, title: said[0] ?? '' })
  const messages = said.map((text, place) => message(`m${n}-${place}`, text, at + n))
  return {
    ...{ conversation, messages, broken: null, outcomes: {}, questions: [], answered: [] },
    ...{ overheardCount: 0, inbox: [], damaged: [], foreground: null },
  }
}

/** A platform that knows who is in which channel; direct messages are named after their person. */
function platformOf({ channels, isAway = false }: World): Omit<PlacesSource, 'reach'> {
  const isIn = (channel: string, person: string) =>
    channel.startsWith(direct)
      ? channel === direct + person
      : (channels[channel]?.members.includes(person) ?? false)
  return {
    platform: 'slack',
    async places(_workspace, person): Promise<Places | 'away'> {
      if (isAway) return 'away'
      return {
        has: async (channel) => isIn(channel, person),
        isOpenTo: async (by, { channel }) => by === channel || (channels[channel]?.isOpen ?? false),
      }
    },
  }
}

/** The tool over threads in memory, which are found as the store finds them, and checked by the same rule as in production. */
function toolIn(world: World, more: Partial<TeamSearchDeps> = {}) {
  const states = world.threads.map(stateOf)
  return createTeamSearchTool({
    sights: createSights({
      sources: [platformOf(world)],
      mayUse: () => true,
      isAlone: ({ workspace, channel }) =>
        workspace.startsWith('web:') || channel.startsWith(direct),
      workspaces: async () => [
        ...new Set(states.map(({ conversation }) => conversation.address.workspace)),
      ],
    }),
    search: {
      async find(workspaces, { said, until }, _before, limit, sees) {
        const found = []
        for (const state of states.toReversed()) {
          const { conversation, messages } = state
          const { workspace } = conversation.address
          const text = messages.map((one) => one.text).join(' ')
          if (!workspaces.includes(workspace) || conversation.updatedAt > (until ?? Infinity))
            continue
          if (countIn(text, said) < said.length || (await sees?.(conversation.address)) === false)
            continue
          const line = {
            conversation,
            newest: null,
            status: null,
            steps: undefined,
            isAsked: false,
            askedOf: null,
            isHeard: false,
          }
          found.push({ line, message: messages[0] ?? null })
        }
        const next = found.length > limit ? { at, id: '' } : null
        return { found: found.slice(0, limit), next, looked: null }
      },
    },
    conversations: {
      state: async (_workspace, id) =>
        states.find(({ conversation }) => conversation.id === id) ?? null,
    },
    linkTo: ({ channel, thread }) => `https://chat.test/${channel}/${thread}`,
    toolFor: () => null,
    ...more,
  })
}

const inSlack = (channel: string, person = 'ana'): ToolContext =>
  toolContext({ workspace: 'slack:T1', channel, person: { id: person, name: person } })
const thread = (channel: string, name: string, ...said: string[]): Thread => ({
  ...{ address: { workspace: 'slack:T1', channel, thread: name }, said },
})
const open = (...members: string[]) => ({ members, isOpen: true })
const closed = (...members: string[]) => ({ members, isOpen: false })

describe('a search in what the team said before', () => {
  const world: World = {
    channels: { plans: open('ana', 'ben'), board: closed('ana'), sales: open('ben') },
    threads: [
      thread('plans', 't1', 'What about pricing?', 'We go with 49 euros a seat, pricing is done.'),
      thread('board', 't2', 'Pricing: 39 euros for the board alone'),
      thread('sales', 't3', 'Pricing: 29 euros for old customers'),
      thread('D-ana', 't4', 'Pricing: 19 euros is what I would say'),
      thread('D-ben', 't5', 'Pricing: 9 euros, do not tell'),
    ],
  }

  it('shows date, title, who, the words around, a link, and what was not looked at (C820)', async () => {
    const { ok, text } = await toolIn(world).run('pricing', inSlack('plans'))
    expect(ok).toBe(true)
    expect(text).toContain('2026-03-04 10:00 · What about pricing? · in:slack:T1/c')
    expect(text).toContain('https://chat.test/plans/t1')
    expect(text).toContain('Ben: We go with 49 euros a seat')
    expect(text).toMatch(/private channels and direct messages.*attached files/)
  })

  it('keeps to what all who read along may see, and in a direct message to what the asker may (S83, S84)', async () => {
    const amounts = async (channel: string, person?: string) => {
      const { text } = await toolIn(world).run('pricing', inSlack(channel, person))
      return [...new Set(text.match(/\d+(?= euros)/g))].sort()
    }
    expect(await amounts('plans')).toEqual(['49'])
    expect(await amounts('board')).toEqual(['39', '49'])
    expect(await amounts('D-ana')).toEqual(['19', '39', '49'])
    expect(await amounts('D-ben', 'ben')).toEqual(['29', '49', '9'])
  })

  it('reads on in a thread by pages, and says that there is none where the asker sees none (C822, S83)', async () => {
    const long = thread(
      'plans',
      't9',
      'start',
      ...Array.from({ length: 400 }, (_, n) => `line ${n} of many ${'x'.repeat(40)}`),
      'the budget is 700',
    )
    const tool = toolIn({ ...world, threads: [long, ...world.threads] })
    const here = inSlack('plans')
    const [, name = ''] = /(in:\S+)/.exec((await tool.run('budget', here)).text) ?? []
    expect((await tool.run(`${name} budget`, here)).text).toContain('the budget is 700')
    let [read, next] = ['', `${name} from 0`]
    for (let pages = 0; next !== '' && pages < 9; pages++) {
      const { text } = await tool.run(next, here)
      read += text
      next = /Read on: "(\S+ from [1-9]\d*)"/.exec(text)?.[1] ?? ''
    }
    for (const n of [0, 150, 399]) expect(read).toContain(`line ${n} of many`)
    const hidden = conversationIdOf('slack:T1', 'board', 't2')
    expect(await tool.run(`in:slack:T1/${hidden}`, here)).toMatchObject({ ok: false })
    expect(await tool.run(`in:slack:T2/${hidden}`, inSlack('D-ana'))).toMatchObject({ ok: false })
  })

  it('finds threads with some of the words where none has all, and says so (C821)', async () => {
    const { text } = await toolIn(world).run('pricing seat customers', inSlack('D-ben', 'ben'))
    expect(text).toMatch(/29 euros[\s\S]*49 euros[\s\S]*9 euros/)
    expect(text).toContain('It has only: pricing seat')
  })

  it.each([
    ['nothing fits', 'zeppelin', 'I found no earlier thread with “zeppelin”'],
    ['no word is given', ' ?! ', 'Say what to look for'],
    ['the day cannot be read', 'pricing before:soonish', 'can’t read that day'],
    ['all is newer', 'pricing before:2025-01-01', 'I found no earlier thread'],
    ['there are too many words', 'pricing b c d e f', 'I looked only for pricing b c d e'],
  ])('says where %s', async (_, input, said) => {
    expect((await toolIn(world).run(input, inSlack('plans'))).text).toContain(said)
  })

  it('looks nowhere while the platform does not say what the asker may see (S83)', async () => {
    const { ok, text } = await toolIn({ ...world, isAway: true }).run('pricing', inSlack('plans'))
    expect([ok, /euros/.test(text)]).toEqual([false, false])
    const none = await toolIn(world).run('pricing', { ...inSlack('plans'), person: null })
    expect([none.ok, /euros/.test(none.text)]).toEqual([false, false])
  })

  it('says when there are more threads than it shows (C821)', async () => {
    const many = Array.from({ length: 20 }, (_, n) => thread('plans', `n${n}`, `pricing ${n}`))
    const { text } = await toolIn({ ...world, threads: many }).run('pricing', inSlack('plans'))
    expect(text).toContain('I didn’t look at all threads, or there are more')
  })

  it('shows addresses that others wrote as text, so that only the threads’ own lead anywhere (S85)', async () => {
    const bad = thread('plans', 't1', 'pricing at https://evil.test/x or www.evil.test')
    const { text } = await toolIn({ ...world, threads: [bad] }).run('pricing', inSlack('plans'))
    expect(text.match(/https?:\/\/\S+|www\.\S+/g)).toEqual(['https://chat.test/plans/t1'])
  })

  it('asks to-dos and folders only as far as the work may use them unasked (C823, C673)', async () => {
    const asked: string[] = []
    const tools = (approval: 'always' | 'never') =>
      toolIn(world, {
        toolFor: (name) =>
          name === 'todo'
            ? null
            : {
                ...{ name, approval, effect: 'none', description: '' },
                run: async (input) => {
                  asked.push(input)
                  return { ok: true, text: 'handbook/prices.md:1' }
                },
              },
      })
    const { text } = await tools('never').run('pricing', inSlack('plans'))
    expect(text).toContain('In the folders:\nhandbook/prices.md:1')
    expect(text).not.toContain('In the to-dos')
    await tools('always').run('pricing', inSlack('plans'))
    expect(asked).toEqual(['pricing'])
  })

  it('shows operators of the page every thread, and members their own and their platform’s (S22, S26)', async () => {
    const onPage = (channel: string, name: string, text: string): Thread => ({
      ...{ address: { workspace: 'web:dm', channel, thread: name }, said: [text] },
    })
    const threads = [
      ...world.threads.slice(1),
      onPage('slack:T1:ana', 'w1', 'Pricing: 1 euros'),
      onPage('slack:T1:ben', 'w2', 'Pricing: 2 euros'),
    ]
    const tool = toolIn({ ...world, threads })
    const amounts = async (workspace: string, channel: string) => {
      const { text } = await tool.run('pricing', toolContext({ workspace, channel }))
      return [...new Set(text.match(/\d+ euros/g))].sort()
    }
    const [one, two, nine, old, his, hers] = [1, 2, 9, 29, 19, 39].map((n) => `${n} euros`)
    expect(await amounts('web:dm', 'slack:T1:ana')).toEqual([one, his, hers])
    expect(await amounts('web:local', 'web')).toEqual([one, his, two, old, hers, nine])
  })

  it('leaks nothing in 2,000 worlds of members (S83, S84)', async () => {
    const people = ['ana', 'ben', 'cem']
    const names = ['c1', 'c2', 'c3']
    const channel = fc.record({ members: fc.subarray(people), isOpen: fc.boolean() })
    const places = [...names, ...people.map((one) => direct + one)]
    const worlds = fc.record({
      channels: fc.tuple(channel, channel, channel),
      where: fc.array(fc.constantFrom(...places), { minLength: 1, maxLength: 6 }),
      asker: fc.constantFrom(...people),
      here: fc.constantFrom(...names, 'direct'),
    })
    await fc.assert(
      fc.asyncProperty(worlds, async ({ channels, where, asker, here: named }) => {
        const here = named === 'direct' ? direct + asker : named
        const known = Object.fromEntries(names.map((name, n) => [name, channels[n] ?? open()]))
        const threads = where.map((one, n) => thread(one, `t${n}`, `alpha marker-${n}-end`))
        const tool = toolIn({ channels: known, threads })
        const context = inSlack(here, asker)
        const may = (one: string) =>
          one.startsWith(direct)
            ? one === direct + asker && one === here
            : (known[one]?.members.includes(asker) ?? false) &&
              (here.startsWith(direct) || one === here || known[one]?.isOpen === true)
        const inputs = [
          'alpha',
          ...where.map((one, n) => `in:slack:T1/${conversationIdOf('slack:T1', one, `t${n}`)}`),
        ]
        const shown = await Promise.all(
          inputs.map(async (input) => (await tool.run(input, context)).text),
        )
        for (const [n, one] of where.entries())
          expect(shown.join('\n').includes(`marker-${n}-end`)).toBe(may(one))
      }),
      { numRuns: 2_000 },
    )
  })
})
