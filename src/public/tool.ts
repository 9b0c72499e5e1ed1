import type { Tool } from '../agent/ports/tool.ts'
import { contained, toolProblem } from '../agent/tools/contained.ts'

export type { Approval, Effect, Tool, ToolContext, ToolResult } from '../agent/ports/tool.ts'

/**
 * Something that tasks can do. What `run` throws answers the call as a failure whose outcome is not known.
 *
 * @throws Error when it is no tool; the message says what is wrong with it.
 */
export function defineTool(tool: Tool): Tool {
  const problem = toolProblem(tool)
  if (problem !== null) throw new Error(`this is not a tool: ${problem}`)
  return contained(tool)
}
