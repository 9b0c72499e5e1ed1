import ipaddr from 'ipaddr.js'

/**
 * True if an address belongs to the public internet (S3). Every address that is not plainly public
 * is refused.
 * That is: private, loopback, link-local (with the metadata services of clouds), carrier NAT,
 * multicast, reserved, documentation and unset ones.
 * IPv6 addresses that carry an IPv4 address, public or not, are refused too.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !isSpecial(address)
  if (address.zoneId !== undefined && address.zoneId !== null) return false
  return (
    address.range() === 'unicast' &&
    address.match(global) &&
    !carriers.some((range) => address.match(range))
  )
}

/** The only part of IPv6 that is given out to the internet. */
const global = ipaddr.IPv6.parseCIDR('2000::/3')

/** Ranges that `ipaddr.js` counts as unicast in one of its versions or another. */
const special = [
  '0.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The metadata service of one cloud lies in the midst of public addresses.
  '168.63.129.16/32',
].map((range) => ipaddr.IPv4.parseCIDR(range))

const isSpecial = (address: ipaddr.IPv4) => special.some((range) => address.match(range))

/**
 * Ways in which an IPv6 address names an IPv4 one: mapped, compatible, translated, 6to4, Teredo.
 * None is needed.
 */
const carriers = [
  '::ffff:0:0/96',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32',
].map((range) => ipaddr.IPv6.parseCIDR(range))
