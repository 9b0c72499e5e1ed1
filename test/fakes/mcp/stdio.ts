import { writeFileSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createFakeMcpServer } from './tools.ts'

/* The fake server as a program: `stdio.ts <journal> <pid file> [stubborn]`. A stubborn one does not end when it is told to. */

const [, , journal = '', pidFile = '', habit] = process.argv
writeFileSync(pidFile, String(process.pid))
if (habit === 'stubborn') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
}
console.error(`started with ${process.env.FAKE_SECRET}`)
await createFakeMcpServer(journal).connect(new StdioServerTransport())
