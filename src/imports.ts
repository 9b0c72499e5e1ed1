import { registerHooks } from 'node:module'
import { extname } from 'node:path'

/*
 * An import of one file from another, of ours or within a package, says where it is; searching for
 * it as for any module takes an eighth of a start. Loaded before everything else.
 */
const root = new URL('../', import.meta.url).href
const ending = extname(import.meta.url)
const format = ending === '.ts' ? 'module-typescript' : 'module'
registerHooks({
  resolve(specifier, context, next) {
    const { conditions, parentURL = '' } = context
    const url =
      /^\.\.?\//.test(specifier) && conditions.includes('import')
        ? new URL(specifier, parentURL).href
        : ''
    if (parentURL.startsWith(root) && url.endsWith(ending))
      return { url, format, shortCircuit: true }
    if (parentURL.includes('/node_modules/') && /\.m?js$/.test(url))
      return { url, shortCircuit: true }
    return next(specifier, context)
  },
})
