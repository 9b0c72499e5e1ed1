import { bad, cited, type Finding, good, note } from '../adapters/channel-kit/findings.ts'
import type { AgentFault } from '../adapters/coding/acp/connection.ts'
import type { TriedAgent } from '../adapters/coding/acp/try-agent.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { passedTo, wordsOf } from '../compose/coding.ts'
import type { Environment } from '../compose/team.ts'
import { type Config, ConfigError } from '../config.ts'

type Words = Parameters<Parameters<typeof good>[0]>[0]['agent']

const manual = 'coding/started-by-clew'
/** Time for an agent to answer, in ms; less than a part has on the page. */
const answerMs = 20_000

/**
 * An agent that Clew starts (C870): its repository, and a session that is opened and ended. No
 * model is asked.
 */
export async function examineAgent(
  config: Config,
  env: Environment,
  { clock }: { clock: Clock },
): Promise<Finding[]> {
  const { CODING_AGENT: agent, CODING_REPO: repo = '' } = config
  if (agent === undefined) return []
  const [{ agentEnvironment }, { checkRepository }] = await Promise.all([
    import('../adapters/coding/acp/open.ts'),
    import('../adapters/coding/acp/checkout.ts'),
  ])
  const passed = agentEnvironment(passedTo(config, env))
  const noRepository = await checkRepository(repo, passed).then(
    () => [],
    (error: Error) => [cited(`CODING_REPO: ${error.message}.`, (words) => words.agent.repoMend)],
  )
  try {
    const command = wordsOf('CODING_AGENT', agent) ?? []
    return [
      ...noRepository,
      ...(await tried({ command, mode: config.CODING_MODE ?? null, env: passed }, clock)),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((line) => cited(line, (words) => words.inEnv))
  }
}

async function tried(
  agent: { command: readonly string[]; mode: string | null; env: Environment },
  clock: Clock,
): Promise<Finding[]> {
  const [{ tryAgent }, { NoAgent }] = await Promise.all([
    import('../adapters/coding/acp/try-agent.ts'),
    import('../adapters/coding/acp/connection.ts'),
  ])
  const [program = ''] = agent.command
  try {
    const { signal } = new AbortController()
    const found = await tryAgent(agent, { clock, signal, ms: answerMs })
    return found === null
      ? []
      : findingsOf(found, found.name === '' ? program : found.name, agent.mode)
  } catch (error) {
    if (!(error instanceof NoAgent)) throw error
    const { fault, said } = error
    return [bad(({ agent }) => faultInWords(agent, fault, { program, said }), { manual })]
  }
}

/** What an agent can, and in which mode it works where nobody has chosen one. */
function findingsOf({ loads, modes }: TriedAgent, name: string, mode: string | null): Finding[] {
  const found = [good(({ agent }) => agent.answers(name))]
  if (!loads) found.push(note(({ agent }) => agent.forgets))
  if (mode !== null || modes === null) return found
  const ids = modes.all.map(({ id }) => id).join(', ')
  found.push(note(({ agent }) => [agent.mode(modes.current), agent.modeMend(ids)], { manual }))
  return found
}

function faultInWords(
  words: Words,
  fault: AgentFault,
  { program, said }: { program: string; said: string },
): readonly [line: string, mend: string] {
  const lines = {
    not_found: [words.notFound(program), words.notFoundMend],
    ended: [words.ended(said), words.endedMend],
    silent: [words.silent(said), words.silentMend],
    version: [words.version, words.versionMend],
    sign_in: [words.signIn(said), words.signInMend],
    refused: [words.refused(said), words.refusedMend],
    mode: [words.noMode, words.noModeMend(said)],
  } as const
  const [line, mend] = lines[fault]
  return [line.trim(), mend]
}
