import { createAssets } from '../assets.ts'
import type { App, Web } from '../context.ts'
import { pageDocument, signInDocument } from '../document.ts'
import type { Door } from '../guard.ts'
import { ProblemError, refuse, sentenceFor, statusOf } from '../problems.ts'

/** The page, its files, and the way past the token. */
export function addPageRoutes(app: App, web: Web, door: Door): void {
  const assets = createAssets()

  app.get('/', (c) => {
    c.header('Cache-Control', 'no-cache')
    const words = web.words(c)
    return door.callerOf(c) === 'person' ? c.html(pageDocument(words)) : c.html(signInDocument(words, null), 401)
  })

  app.post('/sign-in', async (c) => {
    const form = await c.req.parseBody()
    try {
      door.signIn(c, typeof form.token === 'string' ? form.token.trim() : '')
      return c.redirect('/', 303)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const words = web.words(c)
      return c.html(signInDocument(words, sentenceFor(error.problem, words)), statusOf(error.problem))
    }
  })

  app.get('/assets/*', (c) => {
    const asset = assets.get(c.req.path.slice('/assets/'.length))
    if (asset === null) return refuse({ code: 'not_found' })
    c.header('Cache-Control', 'no-cache')
    c.header('ETag', asset.etag)
    if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304)
    return c.body(asset.body, 200, { 'Content-Type': asset.type })
  })

  app.get('/favicon.ico', (c) => c.redirect('/assets/adapters/web/page/icon.svg', 302))
}
