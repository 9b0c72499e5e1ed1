export { type Clew, startClew } from '../clew.ts'
export { type Config, ConfigError, readConfig } from '../config.ts'
export type { Extensions } from '../extensions.ts'
