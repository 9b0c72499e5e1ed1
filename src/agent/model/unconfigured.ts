import { noUsage } from '../domain/usage.ts'
import type { Model } from '../ports/model.ts'

/**
 * Stands in when no model is set: every call says so, and everything that needs none goes on
 * working (R44).
 */
export function createUnconfiguredModel(): Model {
  return {
    name: 'none',
    call: async () => ({
      ok: false,
      code: 'not_configured',
      usage: noUsage,
    }),
  }
}
