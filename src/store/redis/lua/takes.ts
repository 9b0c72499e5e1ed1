/**
 * Lua that names the first keys and arguments of a script, in their order. Those behind them are
 * counted from there.
 */
export const takes = (keys: string, args: string): string =>
  `${locals(keys, 'KEYS')}${locals(args, 'ARGV')}`

const locals = (names: string, list: 'KEYS' | 'ARGV') =>
  `local ${names} = unpack(${list}, 1, ${names.split(', ').length})\n`
