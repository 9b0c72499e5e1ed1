import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { objectInText } from '../../../src/agent/model/json-text.ts'
import { timeOf } from '../../support/processor-time.ts'
import { runs } from '../../support/runs.ts'

describe('the JSON object in a text (F3, R139)', () => {
  it.each([
    ['bare', '{"a": 1}'],
    ['among blanks', '\n  {"a": 1}\n'],
    ['over several lines', '{\n  "a": 1\n}'],
    ['in a fence', '```json\n{"a": 1}\n```'],
    ['in a fence without a language', '```\n{"a": 1}\n```'],
    ['in a fence among words', 'Here it is:\n\n```json\n{"a": 1}\n```\nDone.'],
    ['after a thought', '<think>\n{"b": 2}? No.\n</think>\n{"a": 1}'],
    ['after two thoughts', '<think>x</think><think>y</think>{"a": 1}'],
    [
      'after a thought whose opening the template swallowed',
      'I should say {"b": 2}.\n</think>\n{"a": 1}',
    ],
    ['after a thought, in a fence', '<think>x</think>\n```json\n{"a": 1}\n```'],
    ['among words (C347)', 'Sure: {"a": 1} Is that all?'],
    ['with a comma too many (C347)', '{"a": 1,}'],
    ['as JSON of its JSON (C347)', '"{\\"a\\": 1}"'],
    ['behind an empty one (C347)', '{}{"a": 1}'],
    ['as YAML', 'a: 1'],
    ['as YAML in a fence', 'Here it is:\n```yaml\na: 1\n```'],
  ])('is found %s', (_, text) => {
    expect(objectInText(text)).toEqual({ a: 1 })
  })

  it('may hold what looks like a fence or a thought', () => {
    const value = { a: '</think> ```json\n{}\n``` <think>' }
    expect(objectInText(JSON.stringify(value))).toEqual(value)
    expect(objectInText(`<think>hm</think>${JSON.stringify(value)}`)).toEqual(value)
  })

  it('may hold code in a fence of its own while it stands in one', () => {
    const value = { report: 'Use this:\n```js\nrun()\n```\nThat is all.' }
    expect(
      objectInText(`Here it is:\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\nDone.`),
    ).toEqual(value)
    expect(objectInText(`\`\`\`json\n${JSON.stringify(value)}\`\`\``)).toEqual(value)
  })

  it.each([
    ['nothing', ''],
    ['words', 'I will look at it.'],
    ['two objects', '{"a": 1}{"b": 2}'],
    ['two fences', '```json\n{"a": 1}\n```\n```json\n{"b": 2}\n```'],
    ['a list', '[{"a": 1}]'],
    ['a number', '7'],
    ['null', 'null'],
    ['half an object', '{"a": 1'],
    ['half an object in a fence', '```json\n{"a": 1\n```'],
    ['a thought that does not end', '<think>{"a": 1}'],
    ['half of YAML', 'a: [1'],
    ['YAML that points to itself', 'a: &a [*a, *a]'],
    ['words with a colon', 'Note: it is done.'],
  ])('is not there: %s', (_, text) => {
    expect(objectInText(text)).toBeNull()
  })

  it('is found again however it is wrapped', () => {
    const wraps = [
      (text: string) => text,
      (text: string) => `<think>so {"x": 1}</think>\n${text}`,
      (text: string) => `\`\`\`json\n${text}\n\`\`\``,
    ]
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(...wraps),
        (value, wrap) => {
          const json = JSON.stringify(value)
          expect(JSON.stringify(objectInText(wrap(json)))).toBe(json)
        },
      ),
      { numRuns: runs() },
    )
  })

  it('is looked for in linear time', async () => {
    for (const part of ['```\n', '<think>', '</think>', '{', '``` ', '\\"', '"', ',', '&lt;']) {
      const text = part.repeat(50_000)
      expect(await timeOf(() => objectInText(text), 400)).toBeLessThan(400)
    }
  })
})
