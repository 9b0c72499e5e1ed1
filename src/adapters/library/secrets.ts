/** Folders without texts of the team: dependencies, build output and keys. */
export const skippedFolders: ReadonlySet<string> = new Set([
  ...['node_modules', 'vendor', 'dist', 'build', 'target', '__pycache__', '.git'],
  // Folders in which programs keep their keys.
  ...['.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker', '.password-store'],
])

/** Names of files that hold secrets, in lower case. */
const names: ReadonlySet<string> = new Set([
  ...[
    'credentials',
    'secrets',
    'passwd',
    'shadow',
    'htpasswd',
    '.htpasswd',
    '.netrc',
    '_netrc',
    '.npmrc',
    '.pypirc',
  ],
  ...[
    '.pgpass',
    '.my.cnf',
    '.git-credentials',
    '.dockercfg',
    '.vault-token',
    '.terraformrc',
    '.s3cfg',
    '.boto',
  ],
])
const patterns: readonly RegExp[] = [
  /^\.env(?!\.(?:example|sample|template)$)/,
  /\.(?:pem|key|p8|p12|pfx|jks|keystore|ppk|kdbx|ovpn|tfstate|tfvars)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  // Secrets in data files, as opposed to source code or texts about secrets.
  /^(?:credentials|secrets?|service[-_]account|client[-_]secret).*\.(?:json|csv|ya?ml|xml|ini|toml|properties|txt)$/,
]

/**
 * True if a file must never be indexed or shown (S17). Decides by its path alone, even if git does
 * not ignore it.
 */
export function isLeftOut(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.pop() ?? ''
  return (
    names.has(name) ||
    patterns.some((pattern) => pattern.test(name)) ||
    parts.some((one) => skippedFolders.has(one))
  )
}
