import type { Command } from '../commands/command.ts'

/** A command line without the command's own name: models write it before the line as often as not. */
export function bareLine({ name, aliases }: Pick<Command, 'name' | 'aliases'>, input: string): string {
  const [opening = '', first = ''] = /^\s*[/／!！]?([^\s:：]+)[\s:：]*/u.exec(input) ?? []
  return [name, ...aliases].includes(first.toLowerCase()) ? input.slice(opening.length) : input
}
