export { defineRunType, type RunContext, type RunTypeDefinition } from '../agent/drive/define-run-type.ts'
export type { RunResult } from '../agent/drive/one-piece.ts'
