import { createInterface } from 'node:readline'
import { readConfig, startClew } from 'clew'
import { createTerminalChannel } from './terminal.ts'

const input = createInterface({ input: process.stdin })
const terminal = {
  print: (line: string) => console.log(line),
  onLine(typed: (line: string) => void) {
    input.on('line', typed)
    return () => input.close()
  },
}
const { channel } = createTerminalChannel(terminal, {
  person: process.env.USER ?? 'you',
  now: Date.now,
})
const clew = await startClew(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), {
  channels: [channel],
})
input.on('close', () => void clew.stop().then(() => process.exit(0)))
