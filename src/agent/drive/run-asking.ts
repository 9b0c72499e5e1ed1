import { isUnattended, type Run } from '../domain/run.ts'
import type { Asking } from '../tools/registry.ts'

/**
 * Which tools a run sees: all that a person's does, and of nobody's what its schedule allows (S4).
 */
export function askingOf(run: Run): Asking {
  const { allow = [], mode = 'safe' } = run.schedule ?? {}
  return {
    source: isUnattended(run) ? 'unattended' : 'interactive',
    workspace: run.workspace,
    channel: run.channel,
    allow,
    mode,
  }
}
