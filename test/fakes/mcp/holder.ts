import { createMcpServers } from '../../../src/adapters/mcp/servers.ts'
import { createSystemClock } from '../../../src/clock.ts'

/* A process that holds MCP servers, to be killed: `holder.ts <specs as JSON>`. It says `up` when they are. */

const [, , specs = '[]'] = process.argv
const log = { debug() {}, info() {}, warn() {}, error() {} }
const servers = createMcpServers({ clock: createSystemClock(), log })
await servers.use(JSON.parse(specs))
await servers.tried()
process.send?.('up')
