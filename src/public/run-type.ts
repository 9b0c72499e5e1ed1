export type { RunResult } from '../agent/drive/one-piece.ts'
export { defineRunType, type RunContext, type RunTypeDefinition } from '../agent/drive/outside.ts'
