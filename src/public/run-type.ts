export {
  defineRunType,
  type RunContext,
  type RunResult,
  type RunTypeDefinition,
} from '../agent/drive/one-piece.ts'
