import type { Tool } from '../agent/ports/tool.ts'
import { contained, toolProblem } from '../agent/tools/contained.ts'

export type { Approval, Effect, Tool, ToolContext, ToolResult } from '../agent/ports/tool.ts'

/**
 * Defines a tool for tasks. An error from `run` answers the call as a failure whose outcome is
 * unknown.
 *
 * @throws Error if it is not a valid tool; the message says what is wrong.
 */
export function defineTool(tool: Tool): Tool {
  const problem = toolProblem(tool)
  if (problem !== null) throw new Error(`this is not a tool: ${problem}`)
  return contained(tool)
}
