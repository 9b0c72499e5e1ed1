import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Encrypts a secret for the store with AES-256-GCM and a fresh nonce. The record's name is
 * authenticated, so a secret cannot be moved to another name.
 */
export function seal(secret: Buffer, name: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(name))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return ['1', ...[nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64'))].join(
    '.',
  )
}

/**
 * Decrypts a secret.
 *
 * @throws Error if the key or the name differs, or the secret was changed.
 */
export function unseal(secret: Buffer, name: string, sealed: string): string {
  const [, nonce = '', tag = '', body = ''] = sealed.split('.')
  const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(nonce, 'base64'))
  decipher.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(tag, 'base64'))
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64')), decipher.final()]).toString(
    'utf8',
  )
}
