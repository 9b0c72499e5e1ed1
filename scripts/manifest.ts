/**
 * `npm run manifest`: the Slack app's manifest for Socket Mode. `npm run manifest -- https://clew.example.com` is for events
 * over HTTP at that address; with `--install` other workspaces can install the app there too. `--page https://clew.example.com` is for Socket
 * Mode, where people sign in to the page at that address with Slack; over HTTP they do at the same one.
 */
import { type ManifestMode, manifest } from '../src/adapters/slack/manifest.ts'

/** @returns null when the words are not understood. */
export function modeOf(words: readonly string[]): ManifestMode | null {
  const addresses = words.filter((word) => word !== '--install' && word !== '--page')
  const [address] = addresses
  const installs = words.includes('--install')
  if (address === undefined) return words.length > 0 ? null : { kind: 'socket' }
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || addresses.length !== 1) return null
  if (!words.includes('--page')) return { kind: 'http', baseUrl: url.href, installs }
  return installs ? null : { kind: 'socket', page: url.href }
}

/** Prints the manifest that the words of the command line ask for. */
export function main(): void {
  const mode = modeOf(process.argv.slice(2))
  if (mode === null) {
    console.error(
      'Usage: npm run manifest [-- https://<public address> [--install]], or [-- --page https://<address of the page>]',
    )
    process.exitCode = 2
  } else console.log(JSON.stringify(manifest(mode), null, 2))
}

if (import.meta.main) main()
