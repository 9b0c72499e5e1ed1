import { texts } from '../../locales/texts.ts'
import { strategyNames } from '../domain/task.ts'
import type { Command } from './command.ts'
import { nearest } from './nearest.ts'
import { inlineCode, narrow } from './words.ts'

const choices = [...strategyNames, 'auto', 'default'] as const
type Choice = (typeof choices)[number]

/** `/strategy quick`: how tasks of this thread are worked on from now on; a request that says how still goes first. */
export function createStrategyCommand(): Command {
  return {
    name: 'strategy',
    aliases: ['work', '方式'],
    summary: (locale) => texts(locale).strategy.summary,
    usage: (locale) => [...texts(locale).strategy.usage],
    recognises: (args) => choiceOf(args, 'en') !== null || choiceOf(args, 'zh') !== null,
    async run(args, { locale, conversationId }) {
      const { strategy: words, help } = texts(locale)
      const choice = choiceOf(args, 'en') ?? choiceOf(args, 'zh')
      if (choice === null) {
        const meant = nearest(narrow(args.trim()), choices) ?? 'batch'
        const problem = args.trim() === '' ? words.which : words.unknown(inlineCode(args.trim().slice(0, 80)))
        return { ok: false, text: `${problem}\n${help.tryThis}${inlineCode(`/strategy ${meant}`)}` }
      }
      if (conversationId === '') return { ok: false, text: words.noThread }
      const strategy = choice === 'default' ? null : choice
      return { ok: true, text: words.settled[choice], conversation: { strategy } }
    },
  }
}

/** By its name, or by one of the words that a request says it with. */
function choiceOf(args: string, locale: string): Choice | null {
  const typed = narrow(args.trim())
  const { strategyWords } = texts(locale).core
  const said = strategyNames.find((name) => strategyWords[name].includes(typed))
  return choices.find((choice) => choice === typed) ?? said ?? null
}
