/** Folders that hold no one's own text. */
export const skippedFolders: ReadonlySet<string> = new Set([
  ...['node_modules', 'vendor', 'dist', 'build', 'target', '__pycache__', '.git'],
  // Of programs that keep their keys there.
  ...['.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker', '.password-store'],
])

/** Whole names of files that hold secrets, in lower case. */
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
  // As data, not as source code or words about them.
  /^(?:credentials|secrets?|service[-_]account|client[-_]secret).*\.(?:json|csv|ya?ml|xml|ini|toml|properties|txt)$/,
]

/** Whether a file is never indexed nor shown (S17), by its name alone; also where git does not ignore it. */
export function isLeftOut(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.pop() ?? ''
  return (
    names.has(name) ||
    patterns.some((pattern) => pattern.test(name)) ||
    parts.some((one) => skippedFolders.has(one))
  )
}
