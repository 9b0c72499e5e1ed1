import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { checkRepository } from './checkout.ts'
import { type AcpDesk, type AcpOptions, createAcpDesk } from './desk.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Environment of an agent: the basic variables and those that are named, never Clew's secrets (S7).
 */
export const agentEnvironment = (passed: Env): Env => ({ ...getDefaultEnvironment(), ...passed })

/**
 * Opens the port to an agent that Clew starts itself.
 *
 * @throws NoCheckout if git or the repository cannot be used.
 */
export async function openAcpDesk(
  options: Omit<AcpOptions, 'env'>,
  passed: Env,
  deps: Parameters<typeof createAcpDesk>[1],
): Promise<AcpDesk> {
  const env = agentEnvironment(passed)
  await checkRepository(options.repo, env)
  return createAcpDesk({ ...options, env }, deps)
}
