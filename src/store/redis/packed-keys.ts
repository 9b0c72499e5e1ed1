/*
 * A script's keys have most of their names in common. Redis Cluster has to be told each in full, so that none is missed while a
 * slot moves; a single server needs only the first: the others follow from it in one argument, each as how many characters it
 * shares with the key before, and the rest.
 */

/** Before a script whose keys come packed in its last argument. */
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

/** The script that takes its keys packed. */
export function unpacked(script: string): string {
  const form = forms.get(script) ?? unpacking + script
  forms.set(script, form)
  return form
}

/** Keys after the first; null where a name has a line end of its own. */
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

/** Redis counts bytes, so that only ASCII is shared. */
function shared(one: string, other: string): number {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at) && one.charCodeAt(at) < 128)
    at += 1
  return at
}
