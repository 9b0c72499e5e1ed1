import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

/* Worker, loaded once a message holds code in one of these languages or their aliases (`sh`, `ts`, `html`). */

const languages = {
  bash,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  python,
  sql,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

/** Returns code as HTML, coloured by classes alone; null if its language is unknown. */
addEventListener('message', ({ data: [code, language] }: MessageEvent<[string, string]>) =>
  postMessage(
    hljs.getLanguage(language) === undefined
      ? null
      : hljs.highlight(code, { language, ignoreIllegals: true }).value,
  ),
)
