import { expect, it } from 'vitest'
import {
  inlineCode,
  oneLine,
  plainText,
  textOf,
  wordsOf,
} from '../../../src/agent/commands/command-line.ts'
import type { CommandTable } from '../../../src/agent/commands/grammar.ts'
import { memoryTable } from '../../../src/agent/commands/memory-table.ts'
import { readCommand } from '../../../src/agent/commands/reader.ts'
import { createCommands } from '../../../src/agent/commands/registry.ts'
import { scheduleTable } from '../../../src/agent/commands/schedule-table.ts'
import { strategyTable } from '../../../src/agent/commands/strategy.ts'
import { taskTable } from '../../../src/agent/commands/task.ts'
import { todoTable } from '../../../src/agent/commands/todo-table.ts'
import { splitWhen } from '../../../src/agent/commands/when/read.ts'
import { timeOf } from '../../support/processor-time.ts'

const frame = { now: Date.UTC(2026, 2, 4), timeZone: 'Asia/Shanghai', locale: 'en' }
const tables: readonly CommandTable<object>[] = [
  todoTable,
  scheduleTable,
  memoryTable,
  taskTable,
  strategyTable,
]
const starts = [
  '',
  'add ',
  'update 1 ',
  'list ',
  'show ',
  'add x --tag ',
  'add x --due ',
  'add every day at 9 x --remind ',
]
const size = 40_000
const long = (piece: string, end = '') => piece.repeat(size / piece.length) + end
const commands = createCommands([])
/** Milliseconds of the processor. */
const most = 100

it.each([
  ['blanks', `x${' '.repeat(size)}x`],
  ['quotes that stay open', long('“ ')],
  ['quotes with one end', long('“ ', '”x')],
  ['escapes', `"${long('\\')}`],
  ['plain quotes', long('" ')],
  ['dashes', long('-', 'x')],
  ['options', long('--x ')],
  ['digits', long('1', 'x')],
  ['numbers in Chinese', long('一')],
  ['rules', `every mon${', mon'.repeat(5_000)}x`],
  ['backticks', long('`', 'x')],
  ['letters that become many', long('ﷺ')],
  ['slashes', long('/')],
  ['days', long('tomorrow ')],
])('%s of 40,000 characters are read in a moment (S11)', async (_, text) => {
  const ways: (() => unknown)[] = [
    ...tables.flatMap((table) =>
      starts.map((start) => () => readCommand(table, start + text, frame)),
    ),
    () => splitWhen(text, frame),
    () => textOf(wordsOf(text)),
    () => plainText(text) + inlineCode(text) + oneLine(text),
    () => ['', '/', '!'].map((sign) => commands.parse(sign + text, { addressed: true })),
  ]
  for (const work of ways) expect(await timeOf(work, most)).toBeLessThan(most)
})
