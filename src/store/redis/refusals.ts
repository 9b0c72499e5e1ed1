import { ReplyError } from 'ioredis'

/**
 * Why Redis carries a command or a script out in no part, by the first word of its answer, which is the answer's code. NOPERM
 * is none of them: a script may meet it halfway.
 */
const refusals: Readonly<Record<string, string>> = {
  OOM: 'the store takes no more writes, its memory is full: raise maxmemory, or keep less (RETENTION_DAYS)',
  READONLY: 'the store is a read-only replica: let REDIS_URL name the primary',
  MISCONF: 'the store takes no writes, it cannot save to its disk: make room there',
  NOREPLICAS: 'the store takes no writes, it has too few replicas (min-replicas-to-write)',
  LOADING: 'the store is still reading its file: it answers when it has',
  MASTERDOWN: 'the store is a replica that has lost its primary: let REDIS_URL name the primary',
  CLUSTERDOWN: 'the cluster is down: some of its slots are served by no node',
  NOAUTH: 'the store wants a password: put it into REDIS_URL',
  WRONGPASS: 'the store does not take the name and password in REDIS_URL',
}

/** What Redis said when it refused a command whole; null after any other error, when it may have been carried out. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error && error instanceof ReplyError)) return null
  return refusals[error.message.split(' ', 1)[0] ?? ''] ?? null
}
