import { globalAgent } from 'node:http'
import { Agent, EnvHttpProxyAgent } from 'undici'
import { isRecord } from './contracts/forgiving.ts'

// A proxy is used where the process was told to use one (NODE_USE_ENV_PROXY).
const limits = { headersTimeout: 0, bodyTimeout: 0, proxyTunnel: false }
const isProxied =
  'options' in globalAgent && isRecord(globalAgent.options) && 'proxyEnv' in globalAgent.options

/**
 * Connections on which an answer may take its time, for models and MCP servers: their requests have
 * time limits of their own.
 */
export const patientConnections = isProxied ? new EnvHttpProxyAgent(limits) : new Agent(limits)
