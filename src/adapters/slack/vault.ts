import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Secrets as they lie in the store: AES-256-GCM with a fresh nonce each, bound to the name under which they lie, so that
 * one cannot be put in another's place.
 *
 * @param key 32 bytes in base64.
 */
export function createVault(key: string) {
  const secret = Buffer.from(key, 'base64')
  return {
    lock(name: string, text: string): string {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(name))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['1', ...[nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64'))].join('.')
    },
    /** @throws Error when it was made with another key, lies under another name, or was changed. */
    open(name: string, locked: string): string {
      const [, nonce = '', tag = '', body = ''] = locked.split('.')
      const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(nonce, 'base64'))
      decipher.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(tag, 'base64'))
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64')), decipher.final()]).toString('utf8')
    },
  }
}
