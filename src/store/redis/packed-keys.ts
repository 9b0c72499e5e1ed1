/*
 * Keys of a script, packed, as most share long prefixes.
 *
 * Redis Cluster needs each key in full, so that none is missed while a slot moves. A single server
 * needs only the first. The others are in one argument, each as the number of characters shared
 * with the key before, and the rest.
 */

/** Prefix of a script whose keys are packed in its last argument. */
const unpacking = `
do
  local before = KEYS[1]
  for common, rest in string.gmatch(table.remove(ARGV), '(%d+) ([^\\n]*)\\n') do
    before = string.sub(before, 1, tonumber(common)) .. rest
    KEYS[#KEYS + 1] = before
  end
end
`

const forms = new Map<string, string>()

/** Variant of the script that takes packed keys. Memoized per script. */
export function unpacked(script: string): string {
  const form = forms.get(script) ?? unpacking + script
  forms.set(script, form)
  return form
}

/** Packs the keys behind the first; null if a name contains a line end. */
export function packed(keys: readonly string[]): string | null {
  let text = ''
  let before = keys[0] ?? ''
  for (const key of keys.slice(1)) {
    if (key.includes('\n')) return null
    const common = shared(before, key)
    text += `${common} ${key.slice(common)}\n`
    before = key
  }
  return text
}

/** Length of the common ASCII prefix. Redis counts bytes, so other characters are not shared. */
function shared(one: string, other: string): number {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at) && one.charCodeAt(at) < 128)
    at += 1
  return at
}
