/*
 * What every channel does to a text that may come from anywhere before people see it: it calls nobody out (S1), and its
 * links lead only where somebody wrote or a search found that one can go (S2, S21).
 */

import { addressesIn, addressOf, bareAddress, withoutScheme } from '../agent/domain/address.ts'
import { closed } from '../agent/domain/clean-text.ts'
import { codeMark } from './code.ts'

const zeroWidth = '\u200b'

/**
 * Breaks everything that a platform takes for calling somebody out; to the eye the text stays as it is. Every part of a
 * message comes through here last, so what was cut on the way is made well-formed and closed once more (P17).
 */
export function withoutMentions(text: string): string {
  return closed(text.toWellFormed())
    .replace(/<(?=[@!#])/g, `<${zeroWidth}`)
    .replace(/@(?=everyone\b|here\b|channel\b|&\d|!?\d)/gi, `@${zeroWidth}`)
}

/** Anything that a client may turn into a link or a card by itself: with a scheme, `www.` and a name, invites to Discord. */
const linkable =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|mailto:|www\.|discord(?:\.gg|(?:app)?\.com\/invite)\/)[^\s<>"'`)\]|\ufdd0]/i

/** Whether Clew's texts may link to an address, by its one name. */
export type MayLink = (address: string) => boolean

/** Addresses that are known, to the letter, and all of the setting's hosts, with their subdomains. */
export function linksAmong(known: Iterable<string>, allowed: readonly string[]): MayLink {
  const all = new Set(known)
  const isAllowed = (host: string) =>
    allowed.some((one) => host === one || host.endsWith(`.${one}`))
  return (address) => all.has(address) || isAllowed(URL.parse(address)?.hostname ?? '')
}

/** The same, of addresses that people wrote themselves. */
export const linksTo = (written: readonly string[], allowed: readonly string[]): MayLink =>
  linksAmong(written.flatMap(addressesIn), allowed)

/**
 * Markdown whose addresses lead only where they may; others can be read and not followed: `example[.]org/a`,
 * without the query and fragment, which could carry something out. Images become links, so that nothing is fetched by
 * merely looking. Code is to be kept out of it (`aroundCode`).
 */
export function defang(text: string, mayLink: MayLink): string {
  return (
    withTargets(text.replace(/!\[/g, '['), (whole, label, target) => {
      if (isFine(target, mayLink)) return whole
      const shown = harmless(target)
      return label === target ? shown : `${label} (${shown})`
    })
      .replace(/^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:\s*(\S+).*/gm, (whole, target: string) => {
        if (isFine(target, mayLink)) return whole
        // A note is no address.
        return linkable.test(target) ? harmless(target) : whole.replace('[', '\\[')
      })
      // Code behind a scheme would be its address.
      .replaceAll(`://${codeMark}`, `:// ${codeMark}`)
      .replace(
        /[^\s<>"'`)\]|\ufdd0\u3000-\u303f\uff00-\uffef]+/g,
        (word, start: number, whole: string) => {
          const at = word.search(linkable)
          if (at === -1) return word
          const target = bareAddress(word.slice(at))
          const after = word.slice(at + target.length)
          if (!isFine(target, mayLink)) return word.slice(0, at) + harmless(target) + after
          // Where the text goes on without a blank a client would take what follows for a part of it.
          behind.lastIndex = start + at + target.length
          return target.includes('://') && behind.test(whole)
            ? `${word.slice(0, at)}<${target}>${after}`
            : word
        },
      )
  )
}

/** Signs, and then more of a word. */
const behind = /[^\s<\p{L}\p{N}]{0,20}[\p{L}\p{N}]/uy

type Replaced = (whole: string, label: string, target: string) => string

/**
 * A text with each `[label](address "title")` as `replaced` makes it. It walks from `](` to `](` and looks at nothing twice, so
 * that brackets without end cost no more than any other text (S11).
 */
function withTargets(text: string, replaced: Replaced): string {
  const address = /\s*<?([^)\s>\ufdd0]+)>?/y
  let shown = ''
  let done = 0
  for (
    let at = text.indexOf('](');
    at !== -1;
    at = text.indexOf('](', Math.max(at + 2, address.lastIndex))
  ) {
    address.lastIndex = at + 2
    const label = labelBefore(text, done, at)
    const target = label === null ? undefined : address.exec(text)?.[1]
    if (label === null || target === undefined) {
      address.lastIndex = 0
      continue
    }
    // Where an address ends wrongly, the others that begin inside it end there too.
    if (!/[)\s]/.test(text.charAt(address.lastIndex))) continue
    const end = text.indexOf(')', address.lastIndex) + 1
    if (end === 0) break
    const start = at - label.length - 1
    shown += text.slice(done, start) + replaced(text.slice(start, end), label, target)
    done = end
    address.lastIndex = end
  }
  return shown + text.slice(done)
}

/** A label holds no other end of one, and is on one line. */
function labelBefore(text: string, from: number, end: number): string | null {
  const inside = text.slice(Math.max(from, text.lastIndexOf(']', end - 1) + 1), end)
  const line = inside.slice(inside.lastIndexOf('\n') + 1)
  const bracket = line.indexOf('[')
  return bracket === -1 ? null : line.slice(bracket + 1)
}

function isFine(target: string, mayLink: MayLink): boolean {
  const address = addressOf(target)
  return address !== null && mayLink(address)
}

function harmless(target: string): string {
  const url = URL.parse(withoutScheme.test(target) ? `https://${target}` : target)
  // Of a mail only whom it is for: what it should say could carry a secret.
  if (url?.protocol === 'mailto:') return dull(short(url.pathname))
  if (url === null || url.host === '') return dull(target.replace(/[:/?#].*/s, ''))
  // The host itself can carry a secret too: what looks like more than a name is cut.
  const host = url.host.length > 100 ? `${url.host.slice(0, 20)}…` : url.host
  return dull(host + (url.pathname === '/' ? '' : short(url.pathname)))
}

/** A bracket in a path could begin an address of its own. */
const short = (path: string): string => path.slice(0, 80).replace(/[[\]()].*/s, '…')

/** Nothing of it is taken for an address any more. */
const dull = (text: string): string => text.replaceAll('.', '[.]').replaceAll('//', '/')
