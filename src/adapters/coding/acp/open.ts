import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { checkRepository } from './checkout.ts'
import { type AcpDesk, type AcpOptions, createAcpDesk } from './desk.ts'

/**
 * Opens the port to an agent that Clew starts itself. It gets the basic variables and those that are
 * named, never Clew's secrets (S7).
 *
 * @throws NoCheckout if git or the repository cannot be used.
 */
export async function openAcpDesk(
  options: Omit<AcpOptions, 'env'>,
  passed: Readonly<Record<string, string | undefined>>,
  deps: Parameters<typeof createAcpDesk>[1],
): Promise<AcpDesk> {
  const env = { ...getDefaultEnvironment(), ...passed }
  await checkRepository(options.repo, env)
  return createAcpDesk({ ...options, env }, deps)
}
