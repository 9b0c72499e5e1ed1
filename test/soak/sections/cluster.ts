import { Cluster } from 'ioredis'
import { connect } from '../../../src/store/redis/connection.ts'
import { startCluster } from '../../support/cluster.ts'
import { learnExpected, runStories } from '../crash.ts'
import { startLocalHost } from '../local-host.ts'
import { targetsOf } from '../plan.ts'
import { type Section, seconds, some } from '../section.ts'

/** Rule 10: crashes at every point, as in `points`, on three nodes of a Redis Cluster. They have one database, so one story comes after the other. */
export const cluster: Section = async (soak) => {
  const began = performance.now()
  const nodes = await startCluster(soak.program)
  const clients: Cluster[] = []
  const server = {
    url: () => nodes.url,
    connect() {
      const client = connect(nodes.url, 'commands')
      if (!(client instanceof Cluster)) throw new Error('not a cluster')
      clients.push(client)
      return client
    },
  }
  try {
    const start = startLocalHost
    const { expected, counts } = await learnExpected({ server, database: 0, start })
    const stories = targetsOf(counts, some(soak, 2)).map((target) => [target])
    const { crashes, failures } = await runStories(stories, { server, start, expected, atOnce: 1 })
    const points = new Set(crashes.map((crash) => crash.split(' #')[0]))
    return {
      figures: `${crashes.length} crashes at ${points.size} points on ${nodes.nodes.length} nodes, ${seconds(performance.now() - began)}`,
      failures,
    }
  } finally {
    for (const client of clients) client.disconnect()
    await nodes.stop()
  }
}
