import { bad, type Finding, good, note } from '../adapters/channel-kit/findings.ts'
import { problemInWords } from '../agent/tools/search.ts'
import { searchOf } from '../compose/tools.ts'
import type { Config } from '../config.ts'

/** One real search, for a word. */
export async function examineSearch(config: Config, signal: AbortSignal): Promise<Finding[]> {
  const provider = searchOf(config)
  if (provider === null)
    return [
      note((words) => [words.noSearch, words.noSearchMend], {
        env: ['SEARCH_PROVIDER=brave', 'BRAVE_API_KEY='],
        manual: 'connect/web-search',
      }),
    ]
  const { name, setting } = provider
  const outcome = await provider.search({ text: 'weather', limit: 1, signal })
  if (outcome.ok) return [good((words) => words.searches(name))]
  const { problem } = outcome
  return [
    bad(
      (words, { search }) => [
        problemInWords(problem, provider, search),
        words.checkSetting(setting),
      ],
      {
        env: [`${setting}=`],
        manual: 'connect/web-search',
      },
    ),
  ]
}
