import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDiscord } from '../../../src/adapters/discord/markdown.ts'
import { Message } from '../../../src/adapters/discord/message.ts'
import { readMessage } from '../../../src/adapters/discord/parse.ts'
import {
  type Reach,
  readId,
  renderAnswered,
  renderQuestion,
  renderText,
  threadName,
} from '../../../src/adapters/discord/render.ts'
import { renderPlan } from '../../../src/adapters/discord/render-plan.ts'
import { linksTo } from '../../../src/adapters/safety.ts'
import type { ProgressView } from '../../../src/agent/domain/progress.ts'
import type { Question } from '../../../src/agent/domain/question.ts'
import { linksIn, wordsIn } from '../../fakes/discord/links.ts'
import { labelsOf, textOf } from '../../fakes/discord/people.ts'
import { componentsIn, problemsOf } from '../../fakes/discord/validate.ts'
import { createWorld, makeChannel, makeMessage } from '../../fakes/discord/world.ts'
import { runs } from '../../support/runs.ts'

const none = () => false
const question = (part: Partial<Question> = {}): Question => ({
  version: 1,
  id: 'q_1',
  runId: 'r_1',
  text: 'Which city?',
  choices: ['Lisbon', 'Porto'],
  askedAt: 1,
  askedOf: 'Ana',
  ...part,
})
const progress = (part: Partial<ProgressView> = {}): ProgressView => ({
  runId: 'r_1',
  title: 'The offsite',
  status: 'running',
  items: [
    { text: 'Collect', done: true },
    { text: 'Compare', done: false },
  ],
  index: 1,
  done: 1,
  now: { kind: 'acting', tool: 'internet_search', input: 'venues' },
  lastResult: null,
  lastChange: null,
  ...part,
})
const path = '/channels/123456789012345678/messages'
/** What Discord would say to a message. */
const problems = (message: object) => {
  const { files, ...body } = message as { files?: unknown[] }
  return problemsOf('POST', path, body, files?.length ?? 0)
}

/** Texts that a model or a tool may come up with when it means harm. */
const hostile = fc
  .array(
    fc.constantFrom(
      '@everyone',
      '@here',
      '<@&12345678901234567>',
      '<@12345678901234567>',
      '<#1>',
      '`',
      '```',
      '\n',
      ' ',
      '||',
      '[a](https://evil.example/?q=1)',
      '**',
      'word',
      '<',
      '>',
      '@',
      '|a|b|\n|--|--|\n|1|2|',
      '😀',
      'x'.repeat(700),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

describe('what Discord is shown', () => {
  it('calls nobody, whatever a text says, in every kind of message (S1)', () => {
    const world = createWorld()
    const channel = makeChannel(world, { type: 0 })
    fc.assert(
      fc.property(hostile, (text) => {
        const messages = [
          ...renderText(text, 'en', none),
          ...renderQuestion(question({ text, choices: [text.slice(0, 70) || 'a', 'b'] }), {
            locale: 'en',
            mention: null,
            mayLink: none,
          }),
          renderAnswered(
            {
              question: question({ text }),
              answer: text,
              author: { id: 'a', name: text.slice(0, 80) },
              at: 1,
            },
            'en',
            none,
          ),
          renderPlan(
            progress({
              title: text,
              items: [{ text, done: false }],
              now: { kind: 'acting', tool: text.slice(0, 50), input: text },
            }),
            'en',
          ),
        ]
        for (const message of messages) {
          expect(problems(message)).toEqual([])
          // A button's label is no text in which Discord looks for names.
          const made = makeMessage(world, channel, world.bot, message as object)
          const shown = wordsIn(textOf(made))
          expect(shown).not.toMatch(/@everyone|@here|<@&?\d/)
          expect(made.called).toEqual([])
        }
      }),
      { numRuns: runs() },
    )
  })

  it('calls the one person that it asks, and nobody else (S1)', () => {
    const [message] = renderQuestion(question({ text: 'Ask <@12345678901234567>?' }), {
      locale: 'en',
      mention: '98765432109876543',
      mayLink: none,
    })
    expect(message?.allowed_mentions).toEqual({
      parse: [],
      users: ['98765432109876543'],
      replied_user: false,
    })
    expect(message?.content?.match(/<@\d+>/g)).toEqual(['<@98765432109876543>'])
  })

  it('leads only where people have been, and looks at nothing by itself (S2)', () => {
    const shown = toDiscord(
      'See [here](https://evil.example/p?secret=1) and ![x](https://evil.example/i.png?s=1), https://good.example/a',
      (address) => address === 'https://good.example/a',
    )
    expect(linksIn(shown)).toEqual(['https://good.example/a'])
    expect(renderText('hello', 'en', none)[0]?.flags).toBe(4)
  })

  const canary = 'CANARY-9f2c'
  const host = fc.constantFrom(
    'https://evil.example',
    'http://EVIL.example:81',
    'discord://evil',
    'https://a@evil.example',
  )
  const lure = fc
    .tuple(host, fc.constantFrom(`/?q=${canary}`, `/${canary}.png`, `#${canary}`, `/%7B${canary}`))
    .chain(([start, end]) => {
      const url = start + end
      return fc.constantFrom(
        url,
        `<${url}>`,
        `[x](${url})`,
        `![x](${url} "t")`,
        `[x]( <${url}> )`,
        `[a]: ${url}`,
        `x${url}`,
      )
    })
  /** Texts that try to get an address past Clew, above all by code that Discord reads in another way. */
  const attack = fc
    .array(
      fc.oneof(
        lure,
        fc.constantFrom(
          '`',
          '``',
          '```',
          '````',
          '~~~',
          '\\',
          '\n',
          '\n```\n',
          '\n```ts\n',
          '\n~~~\n',
          '\n````\n',
        ),
        fc.constantFrom(
          ' ',
          'word',
          '[',
          '](',
          ')',
          '<',
          '>',
          '|a|\n|-|\n',
          '|',
          '- ',
          '\n\n',
          'x'.repeat(900),
        ),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''))

  /** What is left of the first address is a label, and the second its target. */
  const inItsPath = `](https://evil.example/%7B${canary}[x](https://a@evil.example/%7B${canary})[`

  it(`lets nothing out by an address that somebody could follow (S2): ${runs()} texts`, () => {
    fc.assert(
      fc.property(attack, (text) => {
        const messages = [
          ...renderText(text, 'en', none),
          ...renderQuestion(question({ text }), { locale: 'en', mention: null, mayLink: none }),
          renderAnswered(
            { question: question({ text }), answer: text, author: { id: 'a', name: text }, at: 1 },
            'en',
            none,
          ),
          renderPlan(progress({ title: text, items: [{ text, done: false }] }), 'en'),
        ]
        const texts = messages.flatMap(({ content = '', components }) => [
          content,
          ...componentsIn(components).flatMap((one) =>
            one.type === 10 ? [String(one.content)] : [],
          ),
        ])
        for (const shown of texts)
          expect(linksIn(shown).filter((link) => link.includes(canary))).toEqual([])
      }),
      { numRuns: runs(), examples: [[inItsPath]] },
    )
  })

  it('keeps code as it is, and addresses in it', () => {
    const code = 'Run this:\n```sh\ncurl https://evil.example/?a=1\n```\nand `x = 1`.'
    expect(toDiscord(code, none)).toBe(code)
    expect(toDiscord('~~~\na ``` b\n~~~', none)).toBe('```\na `\u200b`\u200b` b\n```')
    expect(toDiscord('```\nnever closed', none)).toBe('```\nnever closed\n```')
  })

  it.each([
    '```sh\nnpm i vite@5.4.0\nssh root@10.0.0.5\n```',
    '```html\n<!DOCTYPE html>\n<!-- keep -->\n<@123456789012345678>\n```',
    '`git clone https://github.com/org/repo.git` and `a||b`',
    'mail `<@1>`, `@here`, `@everyone`, `<!channel>` or `http://localhost:8080/a?b=1`',
    '``a `b` https://x.example/?c=1`` works',
    '**`npm config set fund https://example.org`**',
    '- `https://a.example/?q=1`\n- `x](https://b.example)`',
    'See (`x`), then `y](https://b.example/?q=1)`',
  ])('shows code byte for byte (C389): %j', (text) => {
    expect(toDiscord(text, none)).toBe(text)
    expect(linksIn(text)).toEqual([])
  })

  it('takes code out of quotes and lists, and keeps its own blanks (C389)', () => {
    expect(
      toDiscord('> Run\n> ```py\n> if x:\n>   go("https://a.example")\n> ```\nDone', none),
    ).toBe('> Run\n```py\nif x:\n  go("https://a.example")\n```\nDone')
    expect(toDiscord('1. Run\n   ```sh\n   a\n     b@1\n   ```', none)).toBe(
      '1. Run\n```sh\na\n  b@1\n```',
    )
    expect(toDiscord('2. ```sh\n   a@1\n   ```', none)).toBe('2.\n```sh\na@1\n```')
  })

  it.each([
    [`threads \`vite@5.4.0 <@12345678901234567>\``, 'threads vite@5.4.0 <@12345678901234567>'],
    ['`a**b__c`', 'a**b__c'],
    ['Run `http://localhost:8080`', 'Run http://localhost:8080'],
  ])('keeps code in names of threads (C389): %j', (title, name) => {
    expect(threadName(title)).toBe(name)
  })

  it('keeps code in a plan, an answer and parts of a long text (C389)', () => {
    const code = '`npm i vite@5.4.0 --registry https://r.example/?a=1`'
    const card = renderPlan(progress({ title: code, items: [{ text: code, done: false }] }), 'en')
    expect(textOf({ content: '', ...card } as never).split(code)).toHaveLength(3)
    const answered = renderAnswered(
      { question: question({ text: code }), answer: code, author: { id: 'a', name: 'Ana' }, at: 1 },
      'en',
      none,
    )
    expect(answered.content?.split(code)).toHaveLength(3)
    const parts = renderText(`${'word '.repeat(150)}${code}\n`.repeat(8), 'en', none)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.map(({ content = '' }) => content.split(code).length - 1)).toContain(2)
    expect(parts.flatMap(({ content = '' }) => linksIn(content))).toEqual([])
    expect(
      parts
        .map(({ content }) => content)
        .join('')
        .split(code),
    ).toHaveLength(9)
  })

  it.each([
    'Either x || y, or a || b: both work.',
    'Run A || B then C || D',
    '- a ||b|| c',
    'a |||| b',
  ])('hides no words between two bars (C390): %j', (text) => {
    const shown = toDiscord(text, none)
    expect(shown.replace(/\\\|/g, '|')).toBe(text)
    expect(shown.replace(/\\./g, '')).not.toContain('|')
  })

  it.each(['join discord.gg/abcdef now', 'discord.com/invite/abcdef', 'Discord.GG/abcdef?x=1'])(
    'guards an invite without a scheme that nobody wrote (S55): %j',
    (text) => {
      expect(linksIn(text)).not.toEqual([])
      expect(linksIn(toDiscord(text, none))).toEqual([])
      expect(toDiscord(text, linksTo([text], []))).toBe(text)
    },
  )

  it('keeps every cell of a table that is too wide, its code and what has no column (C391)', () => {
    const wide = 'x'.repeat(45)
    const shown = toDiscord(
      `| A | B |\n|---|---|\n| one | \`npm i a@1\` | ${wide} | \`2**3\` |\n| | two |`,
      none,
    )
    for (const cell of ['one', 'B: `npm i a@1`', wide, '`2**3`', 'two'])
      expect(shown).toContain(cell)
    expect(toDiscord(`| ${wide} | B |\n|---|---|`, none)).toContain('B')
    expect(toDiscord('| A |\n|---|\n| 1 | `2**3` |', none)).toContain('1  2**3')
  })

  const script = (lines: number) =>
    Array.from(
      { length: lines },
      (_, n) => `def step_${n}(x):\n    return "https://a.example/${n}"`,
    ).join('\n\n')
  it.each([
    ['Save this:\n```python\n', 'script.py'],
    ['```python deploy.py\n', 'deploy.py'],
    ['```ts\n// src/tools/run.ts\n', 'run.ts'],
    ['Put it into `conf.d/site.nginx`, then `clean.sh`:\n\n```\n', 'clean.sh'],
  ])('attaches a long script as one file with its own name (C392): %j', (before, name) => {
    const [message, ...more] = renderText(`${before}${script(60)}\n\`\`\`\nDone.`, 'en', none)
    expect(more).toEqual([])
    expect(problems(message ?? {})).toEqual([])
    expect(message?.content).toContain(name)
    expect(message?.content).not.toContain('def')
    expect(message?.files?.map((file) => file.name)).toEqual([name])
    expect(String(message?.files?.[0]?.data)).toContain(`${script(60)}\n`)
  })

  it('attaches code that Discord cannot show, and leaves a short script in the text (C392)', () => {
    const [inner] = renderText('````md\n```sh\nnpm i a@1\n```\n````', 'en', none)
    expect(inner?.files?.map(({ name, data }) => [name, String(data)])).toEqual([
      ['script.md', '```sh\nnpm i a@1\n```\n'],
    ])
    const [short] = renderText(`\`\`\`py\n${script(10)}\n\`\`\``, 'en', none)
    expect(short?.files).toBeUndefined()
    const many = Array.from({ length: 12 }, () => `\`\`\`py\n${script(60)}\n\`\`\``).join('\n')
    const files = renderText(many, 'en', none).flatMap((part) => part.files ?? [])
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
    expect(files.length).toBeLessThanOrEqual(10)
  })

  it('keeps the words behind a note (C389)', () => {
    expect(toDiscord('[^1]: see the manual', none)).toBe('\\[^1]: see the manual')
    expect(toDiscord('[Note]: run `a@1` first', none)).toBe('\\[Note]: run `a@1` first')
  })

  it('shows instants in the time of the person who reads, past ones too (C114)', () => {
    expect(toDiscord('Due 2026-03-08T18:00:00+01:00, not 2026-03-08.', none)).toBe(
      'Due <t:1772989200:F>, not 2026-03-08.',
    )
    // As a row of past times has it.
    expect(toDiscord('- 2026-03-08T18:00:00+01:00: started', none)).toContain(
      '<t:1772989200:F>: started',
    )
    expect(toDiscord('`2026-03-08T18:00Z`', none)).toBe('`2026-03-08T18:00Z`')
  })

  it('turns a table into columns, and leaves one in a code block alone', () => {
    expect(
      toDiscord('Before\n| City | € |\n|---|---:|\n| Lisbon | 4 |\n| 上海 | 12 |\nAfter', none),
    ).toBe('Before\n```\nCity    €\n------  --\nLisbon  4\n上海    12\n```\nAfter')
    expect(toDiscord('```\n| a |\n|---|\n| b |\n```', none)).toBe('```\n| a |\n|---|\n| b |\n```')
  })

  it('makes a list of a table that is too wide for a phone (C181)', () => {
    const table = [
      '| Venue | Price | What people say of it |',
      '|---|---|---|',
      '| **Harbour Hall** | € 1,200 | quiet, by the river, with a [map](https://evil.example/?q=1) |',
      '| Old Mill | | far out, but with rooms |',
    ].join('\n')
    expect(toDiscord(table, none)).toBe(
      [
        '**Harbour Hall**',
        '- Price: € 1,200',
        '- What people say of it: quiet, by the river, with a map (`https://evil.example/?q=1`)',
        '**Old Mill**',
        '- What people say of it: far out, but with rooms',
      ].join('\n'),
    )
    const narrow = toDiscord('| City | Rooms |\n|---|---|\n| Lisbon | 4 |', none)
    expect(narrow.split('\n').every((line) => line.length <= 42)).toBe(true)
    expect(narrow).toContain('```')
  })

  it('offers few short choices as buttons, and many or long ones as menus, all of them, as plain text (C337, C1006)', () => {
    const options = { locale: 'en', mention: null, mayLink: none }
    const [few] = renderQuestion(question(), options)
    expect(few?.components).toMatchObject([
      {
        components: [{ label: 'Lisbon' }, { label: 'Porto' }, { label: 'Answer in my own words' }],
      },
    ])
    const [many] = renderQuestion(question({ choices: ['a', 'b', 'c', 'd', 'e'] }), options)
    expect(many?.components).toMatchObject([
      { components: [{ type: 3, options: { length: 5 } }] },
      { components: [{ type: 2 }] },
    ])
    const sixty = Array.from({ length: 60 }, (_, index) => `Office ${index}`)
    const [most] = renderQuestion(question({ choices: sixty }), options)
    expect(problems(most ?? {})).toEqual([])
    expect(labelsOf({ components: most?.components } as never)).toEqual([
      ...sixty,
      'Answer in my own words',
    ])
    const marked = ['**Lisbon**', 'only `main`', '<:yes:12345678901234567>', '\u200b']
    const [named] = renderQuestion(question({ choices: marked }), options)
    const label = ['Lisbon', 'only main', ':yes:', '…']
    expect(labelsOf({ components: named?.components } as never).slice(0, 4)).toEqual(label)
    const [long] = renderQuestion(question({ choices: ['x'.repeat(150)] }), options)
    const [torn] = renderQuestion(
      question({ choices: [`${'x'.repeat(98)}😀${'x'.repeat(20)}`] }),
      options,
    )
    expect(JSON.stringify(torn)).not.toMatch(/\\ud[89a-f]/)
    for (const message of [few, many, long]) expect(problems(message ?? {})).toEqual([])
    expect(labelsOf({ components: few?.components } as never)).toEqual([
      'Lisbon',
      'Porto',
      'Answer in my own words',
    ])
  })

  it('continues a long question, says who may answer it here, and attaches a call that is not shown whole (C87, C339)', () => {
    const options = { locale: 'en', mention: '98765432109876543', mayLink: none }
    const long = renderQuestion(question({ text: `${'A word. '.repeat(500)}Which city?` }), options)
    expect(long.length).toBeGreaterThan(2)
    for (const part of long) expect(problems(part)).toEqual([])
    expect(
      long.map((part) => (part.components === undefined ? 0 : labelsOf(part as never).length)),
    ).toEqual([...long.slice(1).map(() => 0), 3])
    expect(long.at(-1)?.content).toContain('Which city?')
    expect(long.map(({ allowed_mentions: { users = [] } }) => users.length)).toEqual([
      1,
      ...long.slice(1).map(() => 0),
    ])

    const hint = (part: Partial<Question>, reach?: Reach) =>
      renderQuestion(question(part), {
        ...options,
        ...(reach === undefined ? {} : { reach }),
      })[0]?.content?.split('-# ')[1]
    expect(hint({})).toBe('Anyone: pick one or just reply.')
    expect(hint({}, 'one')).toBe('Pick one or just reply.')
    expect(hint({}, 'reply')).toBe('Choose, or reply to this message.')
    expect(hint({}, 'mention')).toBe('Choose, or mention me with your answer.')
    expect(hint({ ownerOnly: true })).toBe('Only Ana or an admin can answer this.')

    const [approval] = renderQuestion(question({ approval: true, whole: 'to: ana' }), options)
    expect(approval?.files?.map(({ name, data }) => [name, data.toString()])).toEqual([
      ['call.txt', 'to: ana'],
    ])
  })

  it('reads back the ids that it gave, and none that it did not', () => {
    expect(readId('choice:q_1:2')).toEqual({ action: 'choice', id: 'q_1', index: 2 })
    expect(readId('cancel:r_1')).toEqual({ action: 'cancel', id: 'r_1', index: null })
    for (const id of ['', 'launch:r_1', 'choice', 'choice:a b', `cancel:${'x'.repeat(99)}`])
      expect(readId(id)).toBeNull()
  })

  it.each([
    ['running', ['Stop']],
    ['awaiting_clarification', ['Stop']],
    ['paused', ['Continue', 'Stop']],
    // It is tried again from its report.
    ['failed', []],
    ['succeeded', []],
  ] as const)('offers on a plan that is %s what can be done (R41)', (status, labels) => {
    const plan = renderPlan(progress({ status }), 'en')
    expect(labelsOf({ components: plan.components } as never)).toEqual(labels)
    expect(problems(plan)).toEqual([])
  })

  it('says what a replan changed, and because of whom (R38)', () => {
    const because = {
      step: 1,
      question: 'Which city?',
      text: 'Lisbon',
      author: { id: 'a', name: 'Ana' },
    }
    const plan = renderPlan(
      progress({
        lastChange: { added: ['Hold the date', 'Invite'], dropped: ['Book Porto'], because },
      }),
      'en',
    )
    const shown = JSON.stringify(plan)
    expect(shown).toContain('Ana changed the request: 2 new steps, 1 dropped')
    expect(shown).toContain('New: Hold the date; Invite')
    expect(shown).toContain('Dropped: Book Porto')
  })

  it('says who changed the plan by hand, and what (C208)', () => {
    const by = { id: 'b', name: 'Ben @everyone' }
    const shown = (added: string[], dropped: string[]) =>
      textOf({
        content: '',
        ...renderPlan(progress({ lastChange: { added, dropped, because: null, by } }), 'en'),
      } as never)
    expect(shown(['Invite'], ['Book'])).toMatch(
      /Ben @\S*everyone changed the plan: 1 new step, 1 dropped\n.*New: Invite\n.*Dropped: Book/,
    )
    expect(shown([], [])).toContain('reordered the plan')
    expect(shown([], [])).not.toContain('@everyone')
  })

  const card = (part: Partial<ProgressView>, locale = 'zh') =>
    textOf({
      content: '',
      ...renderPlan(progress({ status: 'running', ...part }), locale),
    } as never)
  const items = ['Look', 'Book', 'Invite'].map((text) => ({ text, done: false }))
  const [acting, thinking] = [
    { kind: 'acting' as const, tool: 'todo', input: 'list' },
    { kind: 'thinking' as const },
  ]

  it('says what the model decided, in the words of the first design (C110, R38, R39, C57)', () => {
    expect(card({ items, news: { kind: 'planned', index: 0 } })).toContain('规划完成：共 3 步')
    expect(card({ items, news: { kind: 'replanned', index: 0 } })).toContain(
      '重规划完成：共 3 步 · 思考决策：继续',
    )
    for (const [kind, words] of Object.entries({
      act: '执行动作',
      step_done: '步骤完成',
      ask: '请求澄清',
    }))
      expect(card({ items, news: { kind: kind as 'act', index: 1 } })).toContain(
        `当前计划项：2/3 - Book · 思考决策：${words}`,
      )
    expect(card({ items, status: 'succeeded', news: { kind: 'planned', index: 0 } })).not.toContain(
      '规划完成',
    )
  })

  it('says which action is tried, and that it worked or failed (C110, R40)', () => {
    expect(card({ items, now: acting })).toContain('步骤动作：todo -> list')
    expect(card({ items, now: thinking, lastResult: { tool: 'todo', ok: true } })).toContain(
      '步骤结果：成功',
    )
    expect(card({ items, now: thinking, lastResult: { tool: 'todo', ok: false } })).toContain(
      '步骤结果：失败',
    )
  })

  it('stays within every limit with a plan of 100 long steps', () => {
    const items = Array.from({ length: 100 }, (_, n) => ({
      text: `${n} ${'long '.repeat(100)}`,
      done: n < 50,
    }))
    const plan = renderPlan(progress({ items, index: 50, done: 50 }), 'en')
    expect(problems(plan)).toEqual([])
    // The step that is worked on is always among those shown.
    expect(textOf({ content: '', ...plan } as never)).toContain('▶️')
  })
})

it('names a thread without marks, mentions and ids (C114)', () => {
  expect(
    threadName(
      '**Compare** `venues` for <#44444444444444444> <:tada:55555555555555555> <@6666666666666>',
    ),
  ).toBe('Compare venues for :tada:')
  expect(threadName('**')).toBe('Clew')
})

describe('what people write', () => {
  const botId = '11111111111111111'
  const reader = {
    botId,
    botOfRole: (id: string) => (id === '22222222222222222' ? botId : null),
    nameOf: (id: string) => (id === '77777777777777777' ? '#plans' : null),
    now: Date.now(),
  }
  const place = { id: '33333333333333333', type: 0, guild_id: '44444444444444444' }
  const said = (content: string, part: object = {}) => read(content, part)?.content
  const read = (content: string, part: object = {}) =>
    readMessage(
      Message.parse({
        id: '1573315702264168448',
        channel_id: place.id,
        guild_id: place.guild_id,
        type: 0,
        author: { id: '55555555555555555', username: 'ana', global_name: 'Ana' },
        content,
        mentions: [...content.matchAll(/<@!?(\d+)>/g)].map(([, id = '']) => ({
          id,
          username: id === botId ? 'clew' : 'ben',
        })),
        mention_roles: [...content.matchAll(/<@&(\d+)>/g)].map(([, id = '']) => id),
        attachments: [],
        ...part,
      }),
      place,
      reader,
    )

  it.each([
    [`<@${botId}> hello`, { text: 'hello', addressed: true, forSomeoneElse: false }],
    [`<@!${botId}>, hello`, { text: 'hello', addressed: true, forSomeoneElse: false }],
    [`<@&22222222222222222> hello`, { text: 'hello', addressed: true, forSomeoneElse: false }],
    [`hello <@${botId}>`, { text: 'hello', addressed: true, forSomeoneElse: false }],
    [
      '<@66666666666666666> hello',
      { text: '@ben hello', addressed: false, forSomeoneElse: true, namesOthers: true },
    ],
    [
      'hello <@66666666666666666>',
      { text: 'hello @ben', addressed: false, forSomeoneElse: false, namesOthers: true },
    ],
    [
      '@everyone lunch',
      { text: '@everyone lunch', addressed: false, forSomeoneElse: true, namesOthers: true },
    ],
    [`<@${botId}>`, { text: '', addressed: true, forSomeoneElse: false }],
  ])('is for Clew or not (R146, C77): %s', (text, wanted) => {
    expect(said(text)).toEqual({ kind: 'message', ...wanted })
  })

  it.each([
    ['and in blue?', botId, true],
    ['and in blue?', '66666666666666666', false],
    ['ask <@66666666666666666>', botId, false],
    ['@everyone see this', botId, false],
    ['', botId, false],
  ])('is for Clew as a reply to it without a mention (C1005): “%s” to %s', (text, to, isFor) => {
    const author = { id: to, username: 'somebody' }
    const referenced_message = { id: '99999999999999999', channel_id: place.id, type: 0, author }
    expect(said(text, { type: 19, referenced_message })).toMatchObject({ addressed: isFor })
  })

  const clew = `<@${botId}>`
  it.each([
    [
      `${clew} why?\n\`\`\`py\nif x:\n\tfor y in x:\n        go()\n\`\`\``,
      'why?\n```py\nif x:\n\tfor y in x:\n        go()\n```',
    ],
    [`${clew}\n    bolt      12\n    nut        7`, '    bolt      12\n    nut        7'],
    [`order ${clew}, please:\na  -> b   -> c`, 'order please:\na  -> b   -> c'],
    [`${clew} what does \`mention("${clew}")\` do?`, `what does \`mention("${clew}")\` do?`],
    [`${clew} - a\n  - b\n    - c`, '- a\n  - b\n    - c'],
  ])('keeps blanks and code as they were written (C385): %j', (text, wanted) => {
    expect(said(text)).toMatchObject({ text: wanted, addressed: true })
  })

  it.each([
    ['see <#77777777777777777> :)', 'see #plans :)'],
    ['see <#88888888888888888>', 'see <#88888888888888888>'],
    ['done <:ship_it:66666666666666666><a:dance:66666666666666666>', 'done :ship_it::dance:'],
    ['at <t:1700000000:F> or <t:1700003600>', 'at 2023-11-14 22:13 UTC or 2023-11-14 23:13 UTC'],
    ['try </todo add:66666666666666666>', 'try /todo add'],
    ['`<t:1700000000>` is a time', '`<t:1700000000>` is a time'],
  ])('is read as Discord draws it (C978): %s', (text, wanted) => {
    expect(said(`${clew} ${text}`)).toMatchObject({ text: wanted })
  })

  it('has the names of stickers, alone too and where it is forwarded (C978)', () => {
    const part = { sticker_items: [{ id: '66666666666666666', name: 'Wave', format_type: 1 }] }
    expect(said('', part)).toMatchObject({ text: ':Wave:' })
    expect(said('hi', part)).toMatchObject({ text: 'hi\n:Wave:' })
    expect(said('', forward({ content: '', ...part }))).toMatchObject({
      shared: [{ author: '', text: ':Wave:' }],
    })
  })

  it.each([
    'send it to sales@here.example',
    'ops@everyone.example is full',
    'what is `@everyone` for?',
    '```\nERROR <@66666666666666666> has no channel\n```',
    '`@here` is written like that',
  ])('is no mention where Discord tells of none (C386): %j', (text) => {
    const none = { mentions: [], mention_everyone: false }
    const wanted = { kind: 'message', text, addressed: false, forSomeoneElse: false }
    expect(said(text, none)).toEqual(wanted)
    expect(said(text, { mentions: [] })).toEqual(wanted)
  })

  const forward = (...messages: object[]) => ({
    message_reference: { type: 1, channel_id: place.id, message_id: '88888888888888888' },
    message_snapshots: messages.map((message) => ({ message })),
  })
  const photo = {
    id: '99999999999999999',
    filename: 'photo.png',
    size: 3,
    url: 'https://cdn.discordapp.com/photo.png',
    content_type: 'image/png',
  }
  it.each([
    [[{ content: 'The venue is closed' }], ['The venue is closed'], undefined],
    [[{ content: 'a  b\n  c' }, { content: 'second' }], ['a  b\n  c', 'second'], undefined],
    [[{ content: '', attachments: [photo] }], undefined, ['photo.png']],
    [
      [
        {
          content: '',
          embeds: [
            {
              title: 'Deploy failed',
              description: 'on web-3',
              fields: [{ name: 'At', value: '9' }],
            },
          ],
        },
      ],
      ['Deploy failed\non web-3\nAt: 9'],
      undefined,
    ],
  ])('hands on what is forwarded as the words of others (C387): %j', (messages, shared, files) => {
    const content = said('', forward(...messages))
    expect(content).toMatchObject({ text: '' })
    if (content?.kind !== 'message') throw new Error('is no message')
    expect(content.shared?.map(({ text }) => text)).toEqual(shared)
    expect(content.files?.map(({ name }) => name)).toEqual(files)
  })

  it('reads a poll, and names a voice message by its length (C388)', () => {
    const poll = {
      question: { text: 'Where?' },
      answers: [
        { answer_id: 1, poll_media: { text: 'Bonn' } },
        { answer_id: 2, poll_media: { text: 'Kiel' } },
      ],
    }
    expect(said('', { poll })).toMatchObject({ text: '📊 Where?\n- Bonn\n- Kiel' })
    const votes = { answer_counts: [{ id: 2, count: 3 }] }
    expect(said('', { poll: { ...poll, results: votes } })).toMatchObject({
      text: '📊 Where?\n- Bonn\n- Kiel (3)',
    })
    const voice = { ...photo, filename: 'voice-message.ogg', duration_secs: 12.3 }
    expect(said('', { attachments: [voice] })).toMatchObject({ files: [{ seconds: 12.3 }] })
  })

  it('is nothing when Discord wrote it, or Clew itself; a webhook is a bot (R149, S9)', () => {
    expect(said('hello', { type: 18 })).toBeUndefined()
    expect(said('hello', { author: { id: botId, username: 'clew' } })).toBeUndefined()
    // As Discord sends it: the author is the webhook itself, under whatever name it chose, and need not say that it is a bot.
    const webhook = {
      webhook_id: '77777777777777777',
      author: { id: '77777777777777777', username: 'Ana' },
    }
    expect(read('hello', webhook)?.author).toMatchObject({ bot: true })
    expect(read('hello')?.author).toMatchObject({ bot: false })
  })
})
