import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defang, linksTo } from '../../../src/adapters/safety.ts'
import { readMessage } from '../../../src/adapters/slack/markdown.ts'
import * as payloads from '../../../src/adapters/slack/parse.ts'
import {
  type PostedBody,
  renderAnswered,
  renderParts,
  renderPlain,
} from '../../../src/adapters/slack/render.ts'
import { renderPlan } from '../../../src/adapters/slack/render-plan.ts'
import type { ProgressView } from '../../../src/agent/domain/progress.ts'
import type { Question } from '../../../src/agent/domain/question.ts'
import { mentionsOf, refuseBlocks } from '../../fakes/slack/blocks.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { runs } from '../../support/runs.ts'

const none = () => false
const en = { locale: 'en', mayLink: none }
const hostsOf = (text: string) =>
  Array.from(
    text.matchAll(/https?:\/\/[^\s<>"'`)\]|]+/gi),
    ([one]) => URL.parse(one)?.hostname ?? '',
  ).filter((host) => host !== '')

/** Texts as an attacker or a confused model would write them. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<!channel>',
        '<!here|x>',
        '<!everyone>',
        '<@U123>',
        '<@W9|ana>',
        '<!subteam^S1|@team>',
        '@here',
      ),
      fc.constantFrom(
        '@channel',
        '@everyone',
        '```',
        '`',
        '*',
        '_',
        '&lt;!channel&gt;',
        '<',
        '>',
        '\\<',
        '<<!here>',
      ),
      fc.constantFrom(
        'https://evil.example/?q=CANARY',
        '![a](https://evil.example/CANARY.png)',
        '[x](//evil.example)',
      ),
      fc.constantFrom(
        '[a]: https://evil.example/CANARY',
        '<https://evil.example/CANARY>',
        'www.evil.example/CANARY',
      ),
      fc.string({ maxLength: 30 }),
      fc.constantFrom('\n', '\n\n', ' ', '| a | b |\n|---|---|', '# h\n', '😀'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

/** A notification without its code, in which nothing is a link. */
const outsideCode = (text: string) => text.replace(/(`+)[\s\S]*?[^`]\1(?!`)/g, ' ')

/** Every text of blocks in which Slack makes links of addresses: on buttons and in text of rich text it makes none. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if ('type' in value && (value.type === 'plain_text' || value.type === 'text')) return []
  // Titles of plans and cards are plain text.
  if ('title' in value && typeof value.title === 'string')
    return Object.entries(value).flatMap(([key, one]) => (key === 'title' ? [] : textsIn(one)))
  return Object.values(value).flatMap(textsIn)
}

/** Readers that take any object. */
const anything = ['Envelope', 'Uninstalled']

describe('an instant in Slack', () => {
  const at = '2026-03-08T18:00:00+01:00'
  const postOf = (text: string) =>
    renderParts({ kind: 'message', messageId: 'm', text, runId: null }, en)[0]

  it('is the reader’s own in plain lines, with its zone in the notification (C138)', () => {
    const post = postOf(`Added **#1** Call Ana · due ${at}\n- \`${at}\``)
    expect(post?.text).toContain('due 2026-03-08 18:00 (UTC+01:00)')
    const date = '<!date^1772989200^{date_short_pretty} {time}|2026-03-08 18:00 (UTC+01:00)>'
    const text = `Added *#1* Call Ana · due ${date}\n• \`${at}\``
    expect(post?.blocks).toEqual([{ type: 'section', text: { type: 'mrkdwn', text } }])
  })

  it('stands in a notification that has Slack’s own marks and none of Markdown (C199)', () => {
    const [post] = renderParts(
      { kind: 'message', messageId: 'm', text: '**Ana** \\*asked\\*: ~~a~~ & `b`', runId: null },
      en,
    )
    expect(post?.text).toBe('*Ana* *asked*: ~a~ &amp; `b`')
  })

  it('has its zone beside it where Slack would show no date: beside tables, headings and code blocks (C138)', () => {
    const post = postOf(`# Due\n${at}`)
    expect(post?.blocks).toEqual([
      { type: 'markdown', text: '# Due\n2026-03-08 18:00 (UTC+01:00)' },
    ])
  })
})

describe('what is shown in Slack', () => {
  const bodies = (text: string): PostedBody[] => [
    { kind: 'message', messageId: 'm', text, runId: null },
    { kind: 'final', messageId: 'm', text, runId: 'r', status: 'failed' },
    { kind: 'private', to: 'U1', text },
    { kind: 'question', question: questionOf(text), runId: 'r' },
  ]
  const questionOf = (text: string): Question => ({
    ...{ version: 1, id: 'q', runId: 'r', text, askedAt: 1, askedOf: text },
    choices: [text || 'a', `${text} b`, 'c'],
  })
  const viewOf = (text: string, status: ProgressView['status']): ProgressView => ({
    ...{ runId: 'r', title: text, status, index: 1, done: 1 },
    items: Array.from({ length: 60 }, (_, index) => ({ text: text || 'step', done: index === 0 })),
    now: { kind: 'acting', tool: 'internet_search', input: text },
    lastResult: { tool: 'todo', ok: true },
    news: { kind: 'act', index: 1 },
    lastChange: {
      added: [text],
      dropped: [text],
      because: { step: 1, question: null, text, author: { id: 'U1', name: text } },
    },
  })

  it('escapes an answer once, in its notification too (C449)', () => {
    const author = { id: 'U1', name: 'Ana' }
    const answered = { question: questionOf('Which team?'), answer: 'R&D', author, at: 1 }
    expect(renderAnswered(answered, en).text).toBe('✅ Ana: R&amp;D')
  })

  it(`calls nobody out and is taken by Slack, whatever a text says (S1, S2): ${runs()} texts`, () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('en', 'zh'), (text, locale) => {
        const posts = bodies(text).flatMap((body) => renderParts(body, { ...en, locale }))
        posts.push(
          renderAnswered(
            { question: questionOf(text), answer: text, author: { id: 'U1', name: text }, at: 1 },
            en,
          ),
        )
        for (const status of ['running', 'failed', 'paused'] as const)
          posts.push(renderPlan(viewOf(text, status), locale))
        for (const post of posts) {
          expect(mentionsOf(post.text, post.blocks)).toEqual([])
          expect(post.text).not.toBe('')
          expect(refuseBlocks(post.blocks)).toBeNull()
          // Nothing of what is posted leads anywhere that nobody named, and no canary rides on an address.
          for (const shown of [outsideCode(post.text), ...textsIn(post.blocks)])
            expect(hostsOf(shown)).toEqual([])
        }
        for (const post of renderPlain(posts)) expect(mentionsOf(post.text, [])).toEqual([])
      }),
      { numRuns: runs() },
    )
  })

  it(`leads nowhere that nobody named: no address of a text can be followed (S2): ${runs()} texts`, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = defang(text, none)
        expect(hostsOf(safe)).toEqual([])
        // An image is fetched by everyone who sees it; a bare `![` is only text.
        expect(safe).not.toMatch(/!\[[^\]]*\]\(|www\.evil\.|\]\(\/\//)
      }),
      { numRuns: runs() },
    )
  })

  it('lets addresses be that people wrote, to the letter, or the operator allows, with their subdomains (S21)', () => {
    const mayLink = linksTo(['see https://known.example/a?b=1.'], ['docs.example'])
    const fine =
      '**https://known.example/a?b=1**, [c](https://known.example/a?b=1) [d](https://api.docs.example/x) and a@b.example'
    expect(defang(fine, mayLink)).toBe(fine)
    expect(defang('[site](https://bad.example/p?q=1)', mayLink)).toBe('site (bad[.]example/p)')
    expect(defang('https://known.example/a?b=1)SECRET', mayLink)).toBe(
      '<https://known.example/a?b=1>)SECRET',
    )
    for (const other of ['', 'a', 'a?b=2', 'a?b=1&c', 'a?b=1#SECRET', 'SECRET/a?b=1'])
      expect(
        defang(`Look: https://known.example/${other} [x](https://known.example/${other})`, mayLink),
      ).not.toMatch(/https?:/)
  })

  it('lets nothing that follows without a blank become a part of an address (S21)', () => {
    const mayLink = linksTo(['请看https://known.example/a。'], [])
    expect(defang('见https://known.example/a。谢谢', mayLink)).toBe(
      '见<https://known.example/a>。谢谢',
    )
    expect(defang('见https://known.example/a谢谢SECRET', mayLink)).not.toMatch(/https?:/)
  })

  it.each([
    ['[write](mailto:ana@team.example?body=CANARY)', 'write (ana@team[.]example)'],
    ['[write](<mailto:ana@team.example>)', 'write (ana@team[.]example)'],
    ['mailto:ana@team.example?body=CANARY', 'ana@team[.]example'],
    ['<mailto:ana@team.example|Ana>', '<ana@team[.]example|Ana>'],
    ['mailto:www.evil.example/CANARY', 'www[.]evil[.]example/CANARY'],
    ['[a]: mailto:ana@team.example', 'ana@team[.]example'],
  ])('makes no link of %s (S2)', (text, shown) => {
    expect(defang(text, () => true)).toBe(shown)
  })

  it('says what was decided and what came of it, in the words of the first design (C110, R38, R39, R40)', () => {
    const card = (news: ProgressView['news'] & object) =>
      JSON.stringify(
        renderPlan({ ...viewOf('Book', 'running'), news, now: { kind: 'thinking' } }, 'zh').blocks,
      )
    expect(card({ kind: 'planned', index: 0 })).toContain('规划完成：共 60 步')
    expect(card({ kind: 'replanned', index: 0 })).toContain('重规划完成：共 60 步 · 思考决策：继续')
    expect(card({ kind: 'act', index: 1 })).toContain(
      '当前计划项：2/60 - Book · 思考决策：执行动作',
    )
    expect(card({ kind: 'act', index: 1 })).toContain('步骤结果：成功')
  })

  it('says who changed the plan by hand, and what (C208)', () => {
    const shown = (added: string[], dropped: string[]) => {
      const lastChange = { added, dropped, because: null, by: { id: 'U2', name: 'Ben <!channel>' } }
      return renderPlan({ ...viewOf('Book', 'running'), lastChange }, 'en')
    }
    const { text, blocks } = shown(['Invite'], ['Call Ana'])
    expect(JSON.stringify(blocks)).toMatch(
      /Ben .*changed the plan: 1 new step, 1 dropped.*Invite.*Call Ana/,
    )
    expect(mentionsOf(text, blocks)).toEqual([])
    expect(JSON.stringify(shown([], []).blocks)).toContain('reordered the plan')
  })

  it('shows true statuses of a plan, at most 50 cards, and who may press what', () => {
    const blocks = JSON.stringify(renderPlan(viewOf('Collect', 'running'), 'en').blocks)
    expect(blocks.match(/"task_card"/g)).toHaveLength(50)
    expect(blocks).toContain('"status":"complete"')
    expect(blocks.match(/"in_progress"/g)).toHaveLength(1)
    // It is tried again from its report.
    expect(JSON.stringify(renderPlan(viewOf('Collect', 'failed'), 'en').blocks)).not.toContain(
      'clew:retry',
    )
    const [report] = renderParts(
      { kind: 'final', messageId: 'm', text: 'Failed', runId: 'r', status: 'failed' },
      en,
    )
    expect(JSON.stringify(report?.blocks)).toContain('clew:retry')
    expect(JSON.stringify(renderPlan(viewOf('Collect', 'paused'), 'en').blocks)).toContain(
      'clew:continue',
    )
  })
})

describe('code in Slack', () => {
  const postsOf = (text: string) =>
    renderParts({ kind: 'message', messageId: 'm', text, runId: null }, en)
  const leaves = (value: unknown): { text: string; style?: { code?: boolean } }[] => {
    if (Array.isArray(value)) return value.flatMap(leaves)
    if (typeof value !== 'object' || value === null) return []
    if ('type' in value && value.type === 'text') return [value as never]
    return Object.values(value).flatMap(leaves)
  }

  it.each([
    'npm i vite@5.4.0\nssh root@10.0.0.5',
    '<!DOCTYPE html>\n<!-- keep -->\n<@U123> <!channel>',
    'curl -s https://api.github.com/zen\nurl: http://localhost:8080/health',
    '```sh\ncurl https://a.example/?q=1\n```',
  ])('is shown byte for byte in a block of its own (C395): %j', (code) => {
    const posts = postsOf(`Run:\n\n~~~~sh\n${code}\n~~~~\n\nThen **wait**.`)
    expect(posts).toHaveLength(1)
    const { text = '', blocks = [] } = posts[0] ?? {}
    expect(refuseBlocks(blocks)).toBeNull()
    expect(mentionsOf(text, blocks)).toEqual([])
    const element = { type: 'rich_text_preformatted', elements: [{ type: 'text', text: code }] }
    expect(blocks).toEqual([
      { type: 'markdown', text: 'Run:' },
      { type: 'rich_text', elements: [element] },
      { type: 'markdown', text: 'Then **wait**.' },
    ])
    expect(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toContain(code)
  })

  it.each([
    ['Run `npm i vite@5.4.0` **now**', 'npm i vite@5.4.0'],
    [
      '- `git clone https://github.com/o/r.git`\n  - then `a`',
      'git clone https://github.com/o/r.git',
    ],
    ['> see `<!channel>`', '<!channel>'],
    ['## `http://localhost:8080/?a=b`', 'http://localhost:8080/?a=b'],
    ['1. one\n2. ``a `b@1` c``', 'a `b@1` c'],
  ])('is shown byte for byte in a line (C395): %j', (text, code) => {
    const [post] = postsOf(text)
    expect(refuseBlocks(post?.blocks)).toBeNull()
    expect(leaves(post?.blocks)).toContainEqual({
      ...{ type: 'text', text: code },
      style: expect.objectContaining({ code: true }),
    })
    expect(JSON.stringify(post)).not.toMatch(/\u200b|\[\.\]/)
  })

  it('leaves what nothing could be made of in Markdown, and guards words beside code as ever (C395, S2)', () => {
    const plain = 'Run `ls -l`:\n```py\nx = 1\n```'
    expect(postsOf(plain)[0]?.blocks).toEqual([{ type: 'markdown', text: plain }])
    const [post] = postsOf('See https://evil.example/?q=CANARY and `a@1`, @channel')
    expect(JSON.stringify(post?.blocks)).not.toMatch(/@channel|"(?:link|url)"/)
    expect(JSON.stringify(post?.blocks)).toContain('a@1')
    const [table] = postsOf('| a |\n|---|\n| `https://evil.example/?q=CANARY` |')
    expect(JSON.stringify(table?.blocks)).not.toContain('evil.example')
  })

  it('stays whole where a text is split, and in titles (C395)', () => {
    const code = 'npm i vite@5.4.0 --registry https://r.example/?a=1'
    const posts = postsOf(`${`${'word '.repeat(100)}\`${code}\`\n\n`.repeat(60)}`)
    expect(posts.length).toBeGreaterThan(2)
    for (const { blocks } of posts) expect(refuseBlocks(blocks)).toBeNull()
    expect(
      posts.flatMap(({ blocks }) => leaves(blocks)).filter(({ text }) => text === code),
    ).toHaveLength(60)
    const view: ProgressView = {
      ...{ runId: 'r', title: `Run \`${code}\``, status: 'running', index: 0, done: 0 },
      ...{
        items: [{ text: `\`${code}\``, done: false }],
        now: { kind: 'idle' },
        lastResult: null,
        lastChange: null,
      },
    }
    const { blocks } = renderPlan(view, 'en')
    expect(blocks[0]).toMatchObject({ title: `Run ${code}`, tasks: [{ title: code }] })
  })
})

it('leaves out a button whose command is too long for Slack (C1006)', () => {
  const offers = [
    { label: 'Long', command: `/todo add ${'x'.repeat(2_000)}` },
    { label: 'List', command: '/todo list' },
  ]
  const [post] = renderParts(
    { kind: 'message', messageId: 'm', text: 'x', runId: null, offers },
    en,
  )
  expect(refuseBlocks(post?.blocks)).toBeNull()
  expect(buttonsOf(post?.blocks ?? []).map(({ text }) => text)).toEqual(['List'])
})

describe('a question in Slack', () => {
  const posts = (part: Partial<Question>, inPrivate = false) => {
    const question = {
      ...{ version: 1 as const, id: 'q', runId: 'r', text: 'Which?', askedAt: 1, askedOf: 'Ana' },
      ...part,
    }
    return renderParts(
      { kind: 'question', question: { choices: ['a', 'b'], ...question }, runId: 'r' },
      { ...en, inPrivate },
    )
  }
  const shown = (part: Partial<Question>, inPrivate = false) =>
    JSON.stringify(posts(part, inPrivate).at(-1)?.blocks)

  it('is continued where it is too long, and answered below its end (C87)', () => {
    const long = posts({ text: `${'A word. '.repeat(3_000)}Which city?` })
    expect(long.length).toBeGreaterThan(2)
    for (const { blocks } of long) expect(refuseBlocks(blocks)).toBeNull()
    expect(long.map(({ blocks }) => blocks.some(({ type }) => type === 'actions'))).toEqual([
      ...long.slice(1).map(() => false),
      true,
    ])
    expect(JSON.stringify(long.at(-1))).toContain('Which city?')
  })

  it('has a button for each choice, in as many blocks as it takes (C337)', () => {
    const choices = Array.from({ length: 60 }, (_, index) => `Office ${index}`)
    const [post] = posts({ choices })
    expect(refuseBlocks(post?.blocks ?? [])).toBeNull()
    for (const choice of choices) expect(shown({ choices })).toContain(`"${choice}"`)
  })

  it('shows a choice whole that has no room in its button, under its number (C79, C87)', () => {
    const choices = ['No', `Yes, ${'and tell everybody why, '.repeat(6)}now <!here>`]
    expect(shown({ choices })).toContain(
      `1. No\\n2. Yes, ${'and tell everybody why, '.repeat(6)}now`,
    )
    expect(mentionsOf('', posts({ choices })[0]?.blocks)).toEqual([])
    expect(shown({})).not.toContain('1. a')
  })

  it('has labels as plain text, of which something is seen (C1006)', () => {
    const [post] = posts({ choices: ['**Lisbon**', 'only `main`', '2**10', '\u200b'] })
    const labels = buttonsOf(post?.blocks ?? []).map(({ text }) => text)
    expect(labels.slice(0, 4)).toEqual(['Lisbon', 'only main', '2**10', '…'])
  })

  it('says who may answer as it is here (C87)', () => {
    expect(shown({})).toContain('Ana, or anyone else: pick one')
    expect(shown({}, true)).toContain('Pick one or just reply.')
    expect(shown({}, true)).not.toContain('anyone')
    expect(shown({ ownerOnly: true })).toContain('Only Ana or an admin can answer this.')
  })
})

describe('what people write in Slack', () => {
  const names = new Map([['U2', 'Ben']])
  const read = (text: string) => readMessage(text, 'U0', (id) => names.get(id) ?? null)

  it.each([
    ['<@U0> do it', 'do it', true, false, false],
    ['<@U0|clew>: do it', 'do it', true, false, false],
    ['please <@U0> do it', 'please do it', true, false, false],
    ['<@U2> did you see this?', '@Ben did you see this?', false, true, true],
    ['<@U2> and <@U0> do it', '@Ben and do it', true, false, false],
    ['a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c', false, false, false],
    ['<#C1|general> <!here> <!subteam^S1|@team>', '#general @here @team', false, false, true],
    ['<!here> lunch', '@here lunch', false, true, true],
    ['what do you think <@U2>?', 'what do you think @Ben?', false, false, true],
    [
      '<https://a.example|a.example> <https://b.example|see b>',
      'https://a.example see b (https://b.example)',
      false,
      false,
      false,
    ],
    [
      '<mailto:a@b.example|a@b.example> <!date^1^{date}|Monday>',
      'a@b.example Monday',
      false,
      false,
      false,
    ],
  ])('reads %s (R146, C77)', (raw, text, mentioned, forSomeoneElse, namesOthers) => {
    expect(read(raw)).toEqual({ text, mentioned, forSomeoneElse, namesOthers })
  })

  it('takes any payload without throwing, and reads only what it can use', () => {
    const readers = Object.entries(payloads).filter(([name]) => !anything.includes(name))
    expect(readers.length).toBeGreaterThan(8)
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        for (const [, reader] of readers) expect(reader.safeParse(payload).success).toBe(false)
      }),
      { numRuns: runs() },
    )
    const types = fc.constantFrom('message', 'app_mention', 'team_join')
    fc.assert(
      fc.property(fc.object(), types, (event, type) => {
        expect(() => payloads.MessageEvent.safeParse({ ...event, type })).not.toThrow()
      }),
      { numRuns: runs() },
    )
  })
})
