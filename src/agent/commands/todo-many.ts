import { texts } from '../../locales/texts.ts'
import type { Todo } from '../domain/todo.ts'
import type { CommandContext, CommandResult } from './command.ts'

/**
 * Does one thing to each of several to-dos, as an effect of its own, and says each (C373). What is
 * not there is named; the others are done all the same. It is not `ok` where none was.
 */
export async function toEach<T>(
  all: readonly T[],
  context: CommandContext,
  work: (one: T, context: CommandContext) => Promise<CommandResult<Todo>>,
): Promise<CommandResult<Todo | readonly Todo[]>> {
  const [first] = all
  if (first !== undefined && all.length === 1) return await work(first, context)
  const answers: CommandResult<Todo>[] = []
  // One after the other: their numbers follow the order in which they were said.
  for (const [index, one] of all.entries())
    answers.push(await work(one, { ...context, effectId: `${context.effectId}-${index}` }))
  const data = answers.flatMap((answer) => answer.data ?? [])
  const offers = answers.flatMap((answer) => answer.offers ?? [])
  const lines = answers.map(({ text }) => `- ${text.replaceAll('\n', ' ')}`)
  const { counted } = texts(context.locale).todo
  const text = [counted(data.length, all.length), ...lines].join('\n')
  if (data.length === 0) return { ok: false, text }
  const part = data.length < all.length ? { isPartial: true as const } : {}
  return {
    ok: true,
    text,
    data,
    ...part,
    offers: offers.length > 0 && offers.length <= 5 ? offers : undefined,
  }
}
