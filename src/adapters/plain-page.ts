const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Page with a sentence and nothing else. `button`: label of a button that posts the page's own
 * address.
 */
export function plainPage(text: string, status: number, button?: string): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  const form =
    button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`
  const head = '<!doctype html><meta charset="utf-8"><title>Clew</title>'
  return new Response(`${head}<p>${escaped(text)}</p>${form}`, { status, headers })
}
