import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

const names = { session: 'clew_session', signIn: 'clew_sign_in' } as const
type Name = keyof typeof names

/**
 * The page's cookies. Behind TLS they are `Secure` and begin with `__Host-`, so that no other host
 * of the domain can set them (S27).
 *
 * @param url public address of the page.
 */
export function createCookies(url: string | null) {
  const here = url === null ? null : new URL(url)
  function isSecure({ req }: Context) {
    // Of several proxies, the first entry is the one that the browser talks to.
    const [heard = ''] = (req.header('x-forwarded-proto') ?? '').toLowerCase().split(',', 1)
    if (req.url.startsWith('https:') || heard.trim() === 'https') return true
    return here?.protocol === 'https:' && req.header('host')?.toLowerCase() === here.host
  }
  const nameOf = (c: Context, name: Name) => (isSecure(c) ? `__Host-${names[name]}` : names[name])
  // Not `Strict`: when the platform redirects back, the browser would not send it.
  const options = (c: Context) => ({
    httpOnly: true,
    sameSite: 'Lax' as const,
    path: '/',
    secure: isSecure(c),
  })

  return {
    read: (c: Context, name: Name): string | undefined => getCookie(c, nameOf(c, name)),
    write(c: Context, name: Name, value: string, ms: number): void {
      setCookie(c, nameOf(c, name), value, { ...options(c), maxAge: ms / 1_000 })
    },
    drop: (c: Context, name: Name) => void deleteCookie(c, nameOf(c, name), options(c)),
  }
}
