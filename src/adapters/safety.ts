/*
 * Sanitizes a text of any origin before a channel shows it. It must not notify anybody (S1). Its
 * links may lead only to addresses that a person wrote or that a search found (S2, S21).
 */

import { addressesIn, addressOf, bareAddress, withoutScheme } from '../agent/domain/address.ts'
import { closed } from '../agent/domain/clean-text.ts'
import { type AsCode, codeMark } from './code.ts'

const zeroWidth = '\u200b'

/**
 * Breaks everything that a platform reads as a mention; the text looks the same. Every part of a
 * message passes through here last, so cut texts are made well-formed and closed here too (P17).
 */
export function withoutMentions(text: string): string {
  return closed(text.toWellFormed())
    .replace(/<(?=[@!#])/g, `<${zeroWidth}`)
    .replace(/@(?=everyone\b|here\b|channel\b|&\d|!?\d)/gi, `@${zeroWidth}`)
}

/**
 * Text that a client may turn into a link or preview: addresses with a scheme, `www.` names,
 * Discord invites.
 */
const linkable =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|mailto:|www\.|discord(?:\.gg|(?:app)?\.com\/invite)\/)[^\s<>"'`)\]|\ufdd0]/i

/** True if Clew's texts may link to a normalized address. */
export type MayLink = (address: string) => boolean

/**
 * Allows exactly the known addresses, and every address on the allowed hosts and their subdomains.
 */
export function linksAmong(known: Iterable<string>, allowed: readonly string[]): MayLink {
  const all = new Set(known)
  const isAllowed = (host: string) =>
    allowed.some((one) => host === one || host.endsWith(`.${one}`))
  return (address) => all.has(address) || isAllowed(URL.parse(address)?.hostname ?? '')
}

/** Allows the addresses in texts that people wrote, and the allowed hosts. */
export const linksTo = (written: readonly string[], allowed: readonly string[]): MayLink =>
  linksAmong(written.flatMap(addressesIn), allowed)

/**
 * Most addresses of a text that are shown whole; no reader copies more, and each takes its time
 * (S11).
 */
const quotedMost = 20

/**
 * Makes addresses in Markdown harmless unless they may be linked. Images become links, so that
 * nothing is fetched on viewing. Mask code first (`aroundCode`).
 *
 * @param quote shows an address whole as code, where code holds no links (S21d). Without it, or if
 *   it returns `null`, an address is readable but not clickable: `example[.]org/a`. Its query and
 *   fragment are dropped, since they could leak data.
 */
export function defang(text: string, mayLink: MayLink, quote: AsCode = () => null): string {
  const quoted = new Set<string>()
  const show = (target: string): string => {
    const code = quoted.size < quotedMost ? quote(target) : null
    if (code !== null) quoted.add(code)
    return code ?? harmless(target)
  }
  const shown = withTargets(text.replace(/!\[/g, '['), (whole, label, target) => {
    if (isFine(target, mayLink)) return whole
    const address = show(target)
    return label === target ? address : `${label} (${address})`
  })
    .replace(/^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:\s*(\S+).*/gm, (whole, target: string) => {
      if (isFine(target, mayLink)) return whole
      // A footnote is not an address.
      return linkable.test(target) ? show(target) : whole.replace('[', '\\[')
    })
    // Code right after a scheme would become its address.
    .replaceAll(`://${codeMark}`, `:// ${codeMark}`)
  const bare = (word: string, start: number, whole: string): string => {
    const at = word.search(linkable)
    if (at === -1) return word
    const target = bareAddress(word.slice(at))
    const after = word.slice(at + target.length)
    if (!isFine(target, mayLink)) return word.slice(0, at) + show(target) + after
    // If text follows without a blank, a client would include it in the address.
    behind.lastIndex = start + at + target.length
    return target.includes('://') && behind.test(whole)
      ? `${word.slice(0, at)}<${target}>${after}`
      : word
  }
  // Most texts have no address, and looking at each word takes its time.
  const harmlessText = linkable.test(shown) ? shown.replace(words, bare) : shown
  // The marks of `<https://…>` would stand around the code.
  return harmlessText.replace(/<(\ufdd0\d+\ufdd1)>/g, (whole, code: string) =>
    quoted.has(code) ? code : whole,
  )
}

const words = /[^\s<>"'`)\]|\ufdd0\u3000-\u303f\uff00-\uffef]+/g
/** Punctuation followed by more of a word. */
const behind = /[^\s<\p{L}\p{N}]{0,20}[\p{L}\p{N}]/uy

type Replaced = (whole: string, label: string, target: string) => string

/**
 * Replaces each `[label](address "title")` in a text. Moves from `](` to `](` without rereading, so
 * unclosed brackets cost no more than other text (S11).
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
    // If an address ends in an invalid way, addresses that begin inside it end there too.
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

/** Returns the label before a `](`, or `null`. A label is on one line and contains no `]`. */
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
  // A mail address keeps only its recipient, since subject and body could leak a secret.
  if (url?.protocol === 'mailto:') return dull(short(url.pathname))
  if (url === null || url.host === '') return dull(target.replace(/[:/?#].*/s, ''))
  // A host name can leak a secret too, so one longer than 100 characters is cut.
  const host = url.host.length > 100 ? `${url.host.slice(0, 20)}…` : url.host
  return dull(host + (url.pathname === '/' ? '' : short(url.pathname)))
}

/** Shortens a path. Cuts it at a bracket, which could begin an address of its own. */
const short = (path: string) => path.slice(0, 80).replace(/[[\]()].*/s, '…')

/**
 * Breaks an address but drops nothing of it: `https[:]//example[.]org/a?b=c`. Returns `null` for
 * one with brackets, which could begin an address of their own, and for mail (S21d).
 */
export const broken: AsCode = (target) =>
  /[[\]()`]|^mailto:/i.test(target)
    ? null
    : target.replaceAll('.', '[.]').replaceAll('://', '[:]//').replace(/^\/\//, '/')

/** Breaks dots and slashes, so that no client reads an address. */
const dull = (text: string) => text.replaceAll('.', '[.]').replaceAll('//', '/')
