import { parseObject } from './json-text.ts'

/**
 * The object that the beginning of a JSON text holds: what is whole, and the beginning of the text that is being written. Null where
 * there is none.
 */
export function partialObject(json: string): Record<string, unknown> | null {
  const { open, isInText, isEscaped, whole } = scan(json)
  const end = isEscaped ? json.replace(/\\(?:u[\da-fA-F]{0,3})?$/, '') : json
  return (
    parseObject(`${end}${isInText ? '"' : ''}${closing(open)}`) ??
    (whole === null ? null : parseObject(json.slice(0, whole.at) + closing(whole.open)))
  )
}

const closing = (open: string) => Array.from(open).reverse().join('')

/** What is open at the end, and the last place up to which everything is whole. */
function scan(json: string) {
  let open = ''
  let isInText = false
  let whole: { at: number; open: string } | null = null
  for (let at = 0; at < json.length; at++) {
    const letter = json[at] ?? ''
    if (isInText) {
      if (letter === '\\') at += json[at + 1] === 'u' ? 5 : 1
      if (letter === '"') isInText = false
      if (at >= json.length) return { open, isInText, isEscaped: true, whole }
    } else if (letter === '"') isInText = true
    else if (letter === '{' || letter === '[') {
      open += letter === '{' ? '}' : ']'
      whole = { at: at + 1, open }
    } else if (letter === '}' || letter === ']') open = open.slice(0, -1)
    else if (letter === ',') whole = { at, open }
  }
  return { open, isInText, isEscaped: false, whole }
}
