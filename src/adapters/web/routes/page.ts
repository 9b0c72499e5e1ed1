import { pageAssets } from '../assets.ts'
import type { App, Web } from '../context.ts'
import { pageDocument, signInDocument } from '../document.ts'
import { refuse } from '../problems.ts'
import { platformsOf } from './sign-in.ts'

/** The page and its files. */
export function addPageRoutes(app: App, web: Web): void {
  app.get('/', async (c) => {
    c.header('Cache-Control', 'no-cache')
    const [words, assets] = [web.words(c), await pageAssets()]
    const caller = await web.reach(() => web.door.callerOf(c))
    return caller?.kind === 'operator' || caller?.kind === 'member'
      ? c.html(pageDocument(words, assets, caller))
      : c.html(signInDocument(words, assets, { problem: null, platforms: platformsOf(web) }), 401)
  })

  // Files of another version, which a browser asks for while processes are replaced, must not be
  // cached.
  app.get('/assets/:version/:name', async (c) => {
    const { version, name } = c.req.param()
    const { root, files } = await pageAssets()
    const asset = files.get(name)
    if (asset === undefined) return refuse('not_found')
    c.header(
      'Cache-Control',
      root === `/assets/${version}/` ? 'private, max-age=31536000, immutable' : 'no-cache',
    )
    c.header('ETag', asset.etag)
    c.header('Vary', 'Accept-Encoding')
    if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304)
    c.header('Content-Type', asset.type)
    if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(asset.body)
    return c.body(asset.gzip, 200, { 'Content-Encoding': 'gzip' })
  })

  app.get('/favicon.ico', async (c) => c.redirect(`${(await pageAssets()).root}icon.svg`, 302))
}
