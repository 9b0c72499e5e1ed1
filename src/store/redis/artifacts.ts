import { Artifact, artifactLimits } from '../../agent/domain/artifact.ts'
import {
  documentsMost,
  isPage,
  KeptDocument,
  keyOf,
  namesFor,
} from '../../agent/domain/kept-document.ts'
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
      const key = keyOf(document)
      const keys = await redis.hkeys(documents)
      const alike = keys.filter((one) => isPage(one) === isPage(key))
      if (alike.length >= documentsMost && !alike.includes(key)) return false
      await redis.hset(documents, key, encode(document))
      return true
    },
    async keptNames(workspace, id, reader) {
      const { documents } = keysOf(workspace).conversation(id)
      return namesFor(await redis.hkeys(documents), reader)
    },
    async kept(workspace, id, name, reader) {
      const { documents } = keysOf(workspace).conversation(id)
      const keys = [keyOf({ name, only: reader }), name]
      const [own, shared] = await redis.hmget(documents, ...keys)
      return readOne(KeptDocument, own ?? shared ?? null)
    },
  }
}
