import { describe, expect, it } from 'vitest'
import { MessageEvent } from '../../../src/adapters/slack/parse.ts'

const leaf = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) })
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
const rich = (...elements: object[]) => ({ type: 'rich_text', elements })
const raw = (...rows: string[][]) => ({
  type: 'table',
  rows: rows.map((row) => row.map((text) => ({ type: 'raw_text', text }))),
})

/** A message as Clew reads it out of an event. */
function read(part: object) {
  const event = { type: 'message', channel: 'C1', ts: '1.1', user: 'U1', text: '', ...part }
  const told = MessageEvent.parse(event)
  if (told?.kind !== 'said') throw new Error(`it is ${told?.kind}`)
  return told.message
}

describe('what stands in blocks', () => {
  it.each([
    ['at the top', { blocks: [raw(['A', 'B'], ['1', 'x|y'])] }],
    [
      'attached',
      {
        attachments: [
          { fallback: '[no preview available]', blocks: [raw(['A', 'B'], ['1', 'x|y'])] },
        ],
      },
    ],
    [
      'with cells of rich text',
      {
        blocks: [
          {
            type: 'table',
            rows: [
              ['A', 'B'].map((text) => ({ type: 'raw_text', text })),
              ['1', 'x|y'].map((text) => rich(section(leaf(text)))),
            ],
          },
        ],
      },
    ],
  ])('is read, of a table %s (C393)', (_, part) => {
    const table = '| A | B |\n| --- | --- |\n| 1 | x\\|y |'
    expect(read(part)).toMatchObject({ text: table, shared: [] })
    expect(read({ ...part, text: 'which?' }).text).toBe(`which?\n${table}`)
  })

  it('is read, of lists, code and quotes that its text lacks (C393)', () => {
    const blocks = [
      rich(
        section(leaf('See '), { type: 'user', user_id: 'U2' }),
        {
          type: 'rich_text_list',
          style: 'ordered',
          indent: 1,
          elements: [section(leaf('one')), section(leaf('two', { code: true }))],
        },
        { type: 'rich_text_preformatted', elements: [leaf('if a < b:\n    go()')] },
        { type: 'rich_text_quote', elements: [leaf('said')] },
        section({ type: 'link', url: 'https://a.example', text: 'A' }),
      ),
    ]
    expect(read({ blocks }).text).toBe(
      [
        'See <@U2>',
        '    1. one\n    2. `two`',
        '```\nif a &lt; b:\n    go()\n```',
        '&gt; said',
        '<https://a.example|A>',
      ].join('\n'),
    )
  })

  it.each([
    [
      'See <@U2>\n• one\n• two',
      [
        rich(section(leaf('See '), { type: 'user', user_id: 'U2' }), {
          type: 'rich_text_list',
          style: 'bullet',
          elements: [section(leaf('one')), section(leaf('two'))],
        }),
      ],
    ],
    ['```if a &lt; b```', [rich({ type: 'rich_text_preformatted', elements: [leaf('if a < b')] })]],
    ['*bold* word', [rich(section(leaf('bold', { bold: true }), leaf(' word')))]],
  ])('is not said twice where the text has it (C393): %j', (text, blocks) => {
    expect(read({ text, blocks }).text).toBe(text)
  })

  it.each([
    [
      'title, text and fields, once',
      {
        title: 'ZeroDivisionError',
        title_link: 'https://sentry.example/1',
        pretext: 'New alert',
        text: 'in api.py, since 9',
        fields: [{ title: 'Host', value: 'eu-2' }, { value: 'critical' }, { title: 'in api.py' }],
        fallback: 'a fallback',
      },
      'New alert\n<https://sentry.example/1|ZeroDivisionError>\nin api.py, since 9\nHost: eu-2\ncritical',
    ],
    ['its fallback where nothing else stands', { fallback: 'a fallback' }, 'a fallback'],
  ])('is read, of an app’s attachment: %s (C977)', (_, attachment, text) => {
    expect(read({ bot_id: 'B1', attachments: [attachment] }).attached).toEqual([text])
  })

  it.each([
    ['a list', { type: 'list_record', file_id: 'F1', url: 'https://a.example/l' }, ''],
    [
      'what an app has',
      { type: 'attachment_mention', url: 'https://a.example/l', text: 'K-1' },
      '|K-1',
    ],
  ])('leads to what is mentioned, of %s (C977)', (_, element, label) => {
    const blocks = [rich(section(leaf('See '), element))]
    expect(read({ blocks }).text).toBe(`See <https://a.example/l${label}>`)
  })

  it('is somebody else’s where it is shared, with its files (C387)', () => {
    const shared = {
      is_share: true,
      author_name: 'Ben',
      fallback: '[no preview available]',
      message_blocks: [{ message: { blocks: [rich(section(leaf('Book it')))] } }],
      files: [{ id: 'F1', name: 'a.txt', url_private: 'https://files.slack.com/a.txt' }],
    }
    expect(read({ attachments: [shared] })).toMatchObject({
      text: '',
      shared: [{ author: 'Ben', text: 'Book it' }],
      files: [{ name: 'a.txt' }],
    })
    const preview = { from_url: 'https://a.example', blocks: [raw(['A'], ['1'])] }
    expect(read({ attachments: [preview] })).toMatchObject({ text: '', shared: [] })
  })
})
