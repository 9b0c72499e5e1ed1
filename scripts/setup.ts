/**
 * `npm run setup`, or `clew setup`: asks for a model, then Slack and Discord, tries each, writes what works into `.env` of this
 * folder, and starts Clew. Run again, it asks only for what is missing.
 */
import { createInterface } from 'node:readline'
import { told } from '../src/adapters/channel-kit/findings.ts'
import { createSystemClock } from '../src/clock.ts'
import { usualServers } from '../src/compose/local-models.ts'
import { hidingSecrets } from '../src/doctor/secrets.ts'
import { readEnvironment } from '../src/environment.ts'
import { texts } from '../src/locales/texts.ts'
import { type EnvLines, writeSettings } from '../src/setup/env-file.ts'
import { guide, type Terminal } from '../src/setup/guide.ts'
import { printed } from './doctor.ts'

type SetupWords = ReturnType<typeof texts>['setupGuide']

/** Thrown when the person ends the input. */
class InputEnded extends Error {}

/** Prints what there is to say; asks on standard input, of which every line is one answer. */
export async function main(): Promise<void> {
  const { env, inFile } = readEnvironment()
  const words = texts(env.DEFAULT_LOCALE ?? env.LANG ?? 'en')
  const { terminal, close } = openTerminal((finding) =>
    printed(told(finding, words, hidingSecrets(env))),
  )
  try {
    const write = (settings: EnvLines) => save(settings, words.setupGuide, terminal)
    const own = { terminal, words: words.setupGuide, env, inFile, write }
    const isRead = await guide({ ...own, servers: usualServers, clock: createSystemClock() })
    if (isRead) await offerStart(terminal, words.setupGuide, close)
    else process.exitCode = 2
  } catch (error) {
    if (!(error instanceof InputEnded)) throw error
    console.log(`\n${words.setupGuide.cutOff}`)
    process.exitCode = 1
  } finally {
    close()
  }
}

async function offerStart({ ask }: Terminal, words: SetupWords, close: () => void) {
  const answer = await ask(`\n${words.start}`)
  close()
  if (words.no.includes(answer.toLowerCase())) console.log(words.startLater)
  else await import('../src/main.ts')
}

/** Writes settings into `.env`; shows them as lines to copy if that fails, so that none is lost. */
function save(settings: EnvLines, words: SetupWords, { say }: Terminal) {
  try {
    const { isThere } = writeSettings('.', settings)
    say(words.written(Object.keys(settings).join(', ')))
    if (isThere) say(words.before)
  } catch (error) {
    say(words.notWritten(error instanceof Error ? error.message : String(error)))
    for (const [name, value] of Object.entries(settings)) say(`  ${name}=${value}`)
  }
}

function openTerminal(show: (finding: Parameters<Terminal['show']>[0][number]) => string) {
  const { stdin: input, stdout: output } = process
  const lines = createInterface({ input, output, terminal: input.isTTY === true })
  const read = lines[Symbol.asyncIterator]()
  const terminal: Terminal = {
    say: (line) => console.log(line),
    show: (findings) => {
      for (const finding of findings) console.log(show(finding))
    },
    async ask(question) {
      output.write(question)
      const { value, done } = await read.next()
      if (done) throw new InputEnded()
      return value.trim()
    },
  }
  return { terminal, close: () => lines.close() }
}

if (import.meta.main) await main()
