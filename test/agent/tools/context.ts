import type { ToolContext } from '../../../src/agent/ports/tool.ts'
import { contextOf } from '../commands/context.ts'

export function toolContext(changes: Partial<ToolContext> = {}): ToolContext {
  return { ...contextOf(), signal: new AbortController().signal, ...changes }
}
