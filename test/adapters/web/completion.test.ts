import { expect, it } from 'vitest'
import { completionOf } from '../../../src/adapters/web/page/completion.ts'

const called = (name: string, ...aliases: string[]) => ({ name, aliases, summary: `about ${name}` })
const commands = [
  { ...called('todo', '待办'), parts: [called('add', 'new', '添加'), called('list', 'ls')] },
  { ...called('task'), parts: [called('show')] },
  { ...called('help'), parts: [] },
]
const people = ['Ana Silva', 'Ben', '王芳']

/** `|` is the caret. */
function complete(line: string) {
  const caret = line.indexOf('|')
  const text = line.replace('|', '')
  const found = completionOf(text, caret, { commands, people })
  if (found === null) return null
  const [first] = found.suggestions
  const taken = `${text.slice(0, found.from)}${first?.text}|${text.slice(caret)}`
  return [
    found.suggestions.map(({ name }) => name).join(' '),
    found.isOpen ? 'open' : 'chosen',
    taken,
  ]
}

it.each([
  ['/|', '/todo /task /help', 'open', '/todo |'],
  ['/t|', '/todo /task', 'chosen', '/todo |'],
  [' ／T|', '/todo /task', 'chosen', ' ／todo |'],
  ['/待|', '/todo', 'chosen', '/todo |'],
  ['/todo|', '/todo', 'open', '/todo |'],
  ['/todo |', 'add list', 'open', '/todo add |'],
  ['/todo l| milk', 'list', 'chosen', '/todo list | milk'],
  ['/待办 添|', 'add', 'chosen', '/待办 add |'],
  ['/todo LS|', 'list', 'open', '/todo list |'],
  ['@|', '@Ana Silva @Ben @王芳', 'open', '@Ana Silva |'],
  ['Ask @s|, please', null],
  ['Ask @s| please', '@Ana Silva', 'chosen', 'Ask @Ana Silva | please'],
  ['请问＠王|', '@王芳', 'chosen', '请问@王芳 |'],
  ['@ben|', '@Ben', 'open', '@Ben |'],
  ['ana@b|', null],
  ['and /t|', null],
  ['/x|', null],
  ['/help |', null],
  ['/x a|', null],
  ['/todo add m|', null],
  ['/to|do', null],
  ['|/todo', null],
  ['Hello|', null],
])('completes %s (C245)', (line, ...expected) => {
  expect(complete(line)).toEqual(expected[0] === null ? null : expected)
})
