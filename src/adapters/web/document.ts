import type { Texts } from '../../locales/texts.ts'
import type { Assets } from './assets.ts'
import { memberWorkspace } from './deps.ts'
import { escapeHtml } from './markdown.ts'
import { memberOf, type Viewer } from './viewer.ts'

const head = (words: Texts, { root }: Assets, who = '') => `<!doctype html>
<html lang="${words.page.language}"${who}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f5f1">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#191817">
<title>Clew</title>
<link rel="icon" href="${root}icon.svg" type="image/svg+xml">
<link rel="manifest" href="${root}manifest.webmanifest" crossorigin="use-credentials">
<link rel="stylesheet" href="${root}page.css">`

/**
 * HTML document of the page. Its script draws everything, and reads from the document who the
 * viewer is.
 */
export function pageDocument(words: Texts, assets: Assets, viewer: Viewer): string {
  const member = memberOf(viewer)
  const who = {
    ...(viewer.session === null ? {} : { session: viewer.kind }),
    ...(member === null
      ? {}
      : { home: memberWorkspace, person: member.person.id, name: member.person.name }),
  }
  const attributes = Object.entries(who).map(
    ([name, value]) => ` data-${name}="${escapeHtml(value)}"`,
  )
  return `${head(words, assets, attributes.join(''))}
<script type="module" src="${assets.root}page.js"></script>
</head>
<body><div id="app"></div><noscript>${escapeHtml(words.page.needsScript)}</noscript></body>
</html>
`
}

/**
 * HTML document of the sign-in page. Works without scripts.
 *
 * @param platforms ways to sign in, with their addresses.
 */
export function signInDocument(
  words: Texts,
  assets: Assets,
  {
    problem,
    platforms,
  }: { problem: string | null; platforms: readonly { label: string; href: string }[] },
): string {
  const { signIn } = words.page
  return `${head(words, assets)}
</head>
<body class="sign-in"><main>
<form class="stack" method="post" action="/sign-in">
<img src="${assets.root}icon.svg" alt="" width="56" height="56">
<h1>Clew</h1>
${problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
${platforms.map(({ label, href }) => `<a class="button" href="${escapeHtml(href)}">${escapeHtml(signIn.with(label))}</a>`).join('\n')}
<label for="token">${escapeHtml(signIn.label)}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<p class="hint">${escapeHtml(signIn.hint)}</p>
<button class="primary">${escapeHtml(signIn.button)}</button>
</form>
</main></body>
</html>
`
}
