/**
 * `npm run doctor`: looks at the settings, the store, the model, the team's servers and files, Slack and Discord, says what is wrong and where to mend it.
 * Nothing is changed and nothing is posted. Exits 1 when something is wrong.
 */
import { told, type WordedFinding } from '../src/adapters/channel-kit/findings.ts'
import { createSystemClock } from '../src/clock.ts'
import { type LocalServer, usualServers } from '../src/compose/local-models.ts'
import * as doctor from '../src/doctor/examine.ts'
import { hidingSecrets } from '../src/doctor/secrets.ts'
import { readEnvironment } from '../src/environment.ts'
import { texts } from '../src/locales/texts.ts'
import { typeErrorsIn } from './tool-types.ts'

const limitMs = 300_000

/** All findings, from the settings alone; the file is only for the names that stand in it. */
export async function examine(
  env: Record<string, string | undefined>,
  inFile: readonly string[],
  servers: readonly LocalServer[] = [],
): Promise<WordedFinding[]> {
  const clock = createSystemClock()
  const found = await doctor.examine(env, inFile, {
    clock,
    servers,
    limitMs,
    typeErrors: typeErrorsIn,
  })
  const [words, hide] = [texts(env.DEFAULT_LOCALE ?? 'en'), hidingSecrets(env)]
  return found.flatMap(({ findings }) => findings.map((finding) => told(finding, words, hide)))
}

const signs = { good: '✓', bad: '✗', note: '·' } as const

export function printed({ verdict, line, mend }: WordedFinding): string {
  return mend === undefined
    ? `${signs[verdict]} ${line}`
    : `${signs[verdict]} ${line}\n    → ${mend}`
}

/** Prints what there is to say; settings come from the environment and, beneath it, from `.env` of this folder. */
export async function main(): Promise<void> {
  const { env, inFile } = readEnvironment()
  const findings = await examine(env, inFile, usualServers)
  for (const finding of findings) console.log(printed(finding))
  process.exitCode = findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0
}

if (import.meta.main) await main()
