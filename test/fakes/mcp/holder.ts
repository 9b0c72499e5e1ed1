import { createMcpServers } from '../../../src/adapters/mcp/servers.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { silent } from '../../support/silent.ts'

/* A process that holds MCP servers, to be killed: `holder.ts <specs as JSON>`. It says `up` when they are. */

const [, , specs = '[]'] = process.argv
const servers = createMcpServers({ clock: createSystemClock(), log: silent })
await servers.use(JSON.parse(specs))
await servers.tried()
process.send?.('up')
