import { cited, type Finding, good } from '../adapters/channel-kit/findings.ts'
import type { Config } from '../config.ts'
import { connect } from '../store/redis/connection.ts'
import { checkRedis } from '../store/redis/startup-check.ts'

export async function examineStore(config: Config): Promise<Finding[]> {
  if (config.REDIS_URL === undefined) return [good((words) => words.embedded(config.DATA_DIR))]
  const redis = connect(config.REDIS_URL, 'commands')
  try {
    const warnings = await checkRedis(redis, { strict: config.STORE_STRICT })
    return [
      good((words) => words.redisAnswers),
      ...warnings.map((line) => cited(`REDIS_URL: ${line}`, (words) => words.redisMend)),
    ]
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it does not answer'
    return [cited(`REDIS_URL: ${reason}`, (words) => words.redisAway)]
  } finally {
    redis.disconnect()
  }
}
