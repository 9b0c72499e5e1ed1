import { expect, it } from 'vitest'
import { goalIn } from '../../../src/agent/commands/task.ts'

it.each([
  ['/task compare three venues', 'compare three venues'],
  ['/task 检查竞品价格', '检查竞品价格'],
  ['/任务 比较三个场地', '比较三个场地'],
  ['!task compare the venues', 'compare the venues'],
  ['/task plan the offsite in Lisbon', 'plan the offsite in Lisbon'],
  ['/task 查看竞品的价格', '查看竞品的价格'],
])('%s begins a task (C907)', (text, goal) => expect(goalIn(text)).toBe(goal))

it.each([
  ...['/task', '/task list', '/task plan 2', '/task lsit', '/task foo', '/task help'],
  '/task 3 things',
  ...['/task cancel the search', '/task add call Ben --after 2', '/task 停止它', '/todo add milk'],
])('%s is a form of a command (C907)', (text) => expect(goalIn(text)).toBeNull())
