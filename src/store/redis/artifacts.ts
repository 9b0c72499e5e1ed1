import { Artifact, artifactLimits } from '../../agent/domain/artifact.ts'
import { documentsMost, isPage, KeptDocument } from '../../agent/domain/kept-document.ts'
import type { Artifacts } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { encode, readGood, readOne } from './codec.ts'
import { keysOf } from './keys.ts'

export function createArtifacts({ redis }: Client): Artifacts {
  return {
    async save(workspace, conversationId, artifact) {
      const { files } = keysOf(workspace).conversation(conversationId)
      const [count, isThere] = await Promise.all([
        redis.hlen(files),
        redis.hexists(files, artifact.name),
      ])
      if (count >= artifactLimits.files && isThere === 0) return false
      await redis.hset(files, artifact.name, encode(artifact))
      return true
    },
    async saved(workspace, conversationId) {
      const rows = await redis.hgetall(keysOf(workspace).conversation(conversationId).files)
      return readGood(Artifact, Object.values(rows)).sort((a, b) => a.at - b.at)
    },
    async keep(workspace, conversationId, document) {
      const { documents } = keysOf(workspace).conversation(conversationId)
      const names = await redis.hkeys(documents)
      const alike = names.filter((name) => isPage(name) === isPage(document.name))
      if (alike.length >= documentsMost && !alike.includes(document.name)) return false
      await redis.hset(documents, document.name, encode(document))
      return true
    },
    keptNames: (workspace, id) => redis.hkeys(keysOf(workspace).conversation(id).documents),
    async kept(workspace, id, name) {
      const { documents } = keysOf(workspace).conversation(id)
      return readOne(KeptDocument, await redis.hget(documents, name))
    },
  }
}
