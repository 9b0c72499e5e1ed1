const names = /TOKEN(?!S)|KEY|SECRET|PASSWORD/i
const leastCharacters = 6

/**
 * Takes secrets out of what is told, also out of what others say who had them (S7): the values of
 * settings whose names say so, and the passwords in addresses.
 */
export function hidingSecrets(
  ...settings: readonly Readonly<Record<string, unknown>>[]
): (text: string) => string {
  const secrets = settings
    .flatMap((one) => Object.entries(one))
    .flatMap(([name, value]) => (typeof value === 'string' ? secretsIn(name, value.trim()) : []))
    .filter((secret) => secret.length >= leastCharacters)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text)
}

function secretsIn(name: string, value: string): string[] {
  if (names.test(name)) return [value]
  // Several addresses may stand there, with commas; a password may have one, too.
  return [value, ...value.split(',')].flatMap((address) => {
    const [, rest = ''] = address.split('://')
    const [host = ''] = rest.split('/')
    const account = host.slice(0, Math.max(0, host.lastIndexOf('@')))
    return account.includes(':') ? [decoded(account.slice(account.indexOf(':') + 1))] : []
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
