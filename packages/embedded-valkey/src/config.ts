import { EmbeddedStoreError } from './errors.ts'

/**
 * Settings that make the store durable and let it refuse writes when full. The running server is
 * asked for them too.
 */
function promises(strict: boolean): [name: string, value: string][] {
  return [
    ['appendonly', 'yes'],
    ['appendfsync', strict ? 'always' : 'everysec'],
    ['maxmemory-policy', 'noeviction'],
  ]
}

/**
 * The server's configuration. `rk_boot` itself sets port, bind, save, protected-mode, daemonize,
 * io-threads and logfile.
 */
export function configLines(settings: { password: string; strict: boolean }): string[] {
  return [
    'dir /data',
    `requirepass ${settings.password}`,
    ...promises(settings.strict).map(([name, value]) => `${name} ${value}`),
    'maxmemory 1gb',
    'aof-load-truncated no', // repair.ts has cut a torn end; any other damage must be reported
    'auto-aof-rewrite-percentage 0',
    'rename-command BGREWRITEAOF ""', // it would need fork, and fails halfway
    'databases 1', // so that a new increment needs no SELECT at its head
    'loglevel warning',
  ]
}

/**
 * Asks the running server for its settings, as nothing else proves that it has read the file.
 *
 * @param ask sends a command and returns the raw answer.
 * @throws EmbeddedStoreError `not_durable`.
 */
export function verifyPromises(strict: boolean, ask: (...words: string[]) => string): void {
  for (const [name, value] of promises(strict)) {
    if (
      ask('CONFIG', 'GET', name) ===
      `*2\r\n$${name.length}\r\n${name}\r\n$${value.length}\r\n${value}\r\n`
    )
      continue
    throw new EmbeddedStoreError(
      'not_durable',
      `The embedded Valkey runs without "${name} ${value}", so it is not used. Run "npm ci" again, or set {otherServer}.`,
    )
  }
}
