import { Agent } from 'node:http'
import type { NetConnectOpts } from 'node:net'

/*
 * Loaded into Clew's own process by `NODE_OPTIONS`, with a port: a public address leads to that port of this machine, so that
 * `fetch_web`, which reaches public addresses only (S3), has something to read.
 */

export const publicAddress = '93.184.215.14'

const port = new URL(import.meta.url).searchParams.get('port')
const { createConnection } = Agent.prototype

if (port !== null)
  Agent.prototype.createConnection = function (options, ...rest) {
    const there = 'host' in options && options.host === publicAddress
    const here: NetConnectOpts = { ...options, host: '127.0.0.1', port: Number(port) }
    return createConnection.call(this, there ? here : options, ...rest)
  }
