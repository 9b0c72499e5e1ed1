import { type Texts, texts } from '../../locales/texts.ts'
import { plainText } from '../commands/command-line.ts'
import type { Tool } from '../ports/tool.ts'
import {
  type SearchHit,
  type SearchProblem,
  type SearchProvider,
  searchTimeoutMs,
} from './search/provider.ts'

/** F1. */
const topHits = 3
/** The smallest that the providers take: Brave refuses more than 400 characters or 50 words. */
const longestQuery = 400
const mostWords = 50

const description =
  'Searches the web and gives the top 3 pages with title, address and a short excerpt. The input is what to search for, in a few words.'

/** The tool `internet_search`. It changes nothing outside, so it may run again. */
export function createSearchTool(provider: SearchProvider): Tool {
  return {
    name: 'internet_search',
    effect: 'none',
    finds: true,
    description,
    async run(input, { locale, signal }) {
      const words = texts(locale).search
      const text = queryOf(input)
      if (text === '') return { ok: false, text: words.noQuery }
      const outcome = await provider.search({ text, limit: topHits, signal })
      if (!outcome.ok) {
        const text = problemInWords(outcome.problem, provider, words)
        return { ok: false, text: outcome.problem.code === 'stopped' ? text : text + words.goOn }
      }
      if (outcome.hits.length === 0) return { ok: true, text: words.none(plainText(text)) }
      return { ok: true, text: render(words.results(plainText(text), provider.name), outcome.hits) }
    },
  }
}

function queryOf(input: string): string {
  const words = input
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .split(' ')
    .slice(0, mostWords)
  return Array.from(words.join(' ')).slice(0, longestQuery).join('').trim()
}

function render(title: string, hits: readonly SearchHit[]): string {
  const lines = hits.map(({ title, url, snippet }, index) => {
    const excerpt = snippet === '' ? '' : `\n   ${plainText(snippet)}`
    return `${index + 1}. **${plainText(title)}** <${url}>${excerpt}`
  })
  return [title, ...lines].join('\n')
}

/** Sentence for a problem. */
export function problemInWords(
  problem: SearchProblem,
  { name, setting }: SearchProvider,
  words: Texts['search'],
): string {
  const seconds = problem.code === 'limited' ? problem.retryAfterSeconds : searchTimeoutMs / 1000
  return words.problems[problem.code]({ name, setting, seconds })
}
