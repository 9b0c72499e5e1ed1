/**
 * `npm run manifest`: the Slack app's manifest for Socket Mode. `npm run manifest -- https://clew.example.com` is for events
 * over HTTP at that address; with `--install` other workspaces can install the app there too.
 */
import { type ManifestMode, manifest } from '../src/adapters/slack/manifest.ts'

/** @returns null when the words are not understood. */
export function modeOf(words: readonly string[]): ManifestMode | null {
  const addresses = words.filter((word) => word !== '--install')
  const [address] = addresses
  const installs = words.includes('--install')
  if (address === undefined) return installs ? null : { kind: 'socket' }
  const url = URL.parse(address)
  return url?.protocol === 'https:' && addresses.length === 1 ? { kind: 'http', baseUrl: url.href, installs } : null
}

/** Prints the manifest that the words of the command line ask for. */
export function main(): void {
  const mode = modeOf(process.argv.slice(2))
  if (mode === null) {
    console.error('Usage: npm run manifest [-- https://<public address> [--install]]')
    process.exitCode = 2
  } else console.log(JSON.stringify(manifest(mode), null, 2))
}

if (import.meta.main) main()
