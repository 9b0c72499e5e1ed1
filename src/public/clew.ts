export { type Clew, startClew } from '../compose/clew.ts'
export type { Extensions } from '../compose/extensions.ts'
export { type Config, ConfigError, readConfig } from '../config.ts'
