import { isObject } from '../fakes/discord/validate.ts'
import { eyes } from './shared.ts'

/*
 * Discord's messages as HTML, close enough to what people see: for pictures in the manual. What is drawn is what the local
 * Discord holds.
 */

/** One message with the person who wrote it; `only` is the person who alone sees it. */
export interface Shown {
  name: string
  isApp: boolean
  content: string
  components: readonly unknown[]
  reactions: readonly string[]
  only?: boolean
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Not every machine has a font with emoji: each is drawn. */
const emoji: Readonly<Record<string, string>> = {
  '✅': '<span class="tick">✓</span>',
  '▶️': '<span class="now">▶</span>',
  '▫️': '<span class="open"></span>',
  '➖': '<span class="gone">–</span>',
  '⏰': '<span class="now">!</span>',
  '👍': '<span class="now">+1</span>',
  '👀': eyes,
}
const drawn = (text: string) =>
  Object.entries(emoji).reduce((shown, [sign, html]) => shown.replaceAll(sign, html), text)

/** Discord's Markdown, as far as Clew writes it. */
function inline(text: string): string {
  const shown = escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/(?<![*\w])\*([^*\n]+)\*/g, '<i>$1</i>')
    .replace(/~~([^~\n]+)~~/g, '<s>$1</s>')
    .replace(/&lt;@(\w+)&gt;/g, '<span class="mention">@$1</span>')
    .replace(/&lt;t:(\d+):F&gt;/g, (_, at) => `<span class="time">${timeOf(Number(at))}</span>`)
    .replace(/(?<!\\)\[([^\]]+)\]\((https:[^)]+)\)/g, '<a>$1</a>')
    .replace(/\\([\\*_~`|&.-])/g, '$1')
  return drawn(shown)
}

const timeOf = (at: number) =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at * 1000)

const markdown = (text: string): string =>
  text
    .split(/\n?```\w*\n([\s\S]*?)\n?```\n?/)
    .map((part, index) => (index % 2 === 1 ? `<pre>${escapeHtml(part)}</pre>` : lines(part)))
    .join('')

function lines(text: string): string {
  const shown = text.split('\n').map((line) => {
    const [, mark = '', rest = line] = /^(### |-# |> |- )?(.*)$/.exec(line) ?? []
    const name = { '### ': 'h5', '-# ': 'small', '> ': 'blockquote', '- ': 'li' }[mark]
    return name === undefined
      ? `<div>${inline(rest) || '&nbsp;'}</div>`
      : `<${name}>${inline(rest)}</${name}>`
  })
  return shown.join('')
}

const list = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

function componentHtml(one: Record<string, unknown>): string {
  const inside = list(one.components).map(componentHtml).join('')
  switch (one.type) {
    case 1:
      return `<div class="row">${inside}</div>`
    case 2:
      return `<span class="button style${String(one.style)}">${escapeHtml(String(one.label))}</span>`
    case 3:
      return `<span class="menu">${escapeHtml(String(one.placeholder))}<span>⌄</span></span>`
    case 4:
      return '<div class="field">Only those who travel from far</div>'
    case 10:
      return `<div class="text">${markdown(String(one.content))}</div>`
    case 17:
      return `<div class="card" style="border-color: #${Number(one.accent_color).toString(16).padStart(6, '0')}">${inside}</div>`
    case 18: {
      const field = isObject(one.component) ? componentHtml(one.component) : ''
      return `<label>${escapeHtml(String(one.label))}</label><p>${escapeHtml(String(one.description ?? ''))}</p>${field}`
    }
    default:
      throw new Error(`a picture of component ${String(one.type)} is not known`)
  }
}

export function messageHtml({ name, isApp, content, components, reactions, only }: Shown): string {
  const body =
    (content === '' ? '' : markdown(content)) + list(components).map(componentHtml).join('')
  const under = reactions.map((sign) => `<span class="reaction">${drawn(sign)} 1</span>`).join('')
  const badge = isApp ? '<em>APP</em>' : ''
  const note = only ? '<small class="only">Only you can see this</small>' : ''
  return `<article class="${only ? 'hidden' : ''}"><div class="face ${isApp ? 'app' : ''}">${name[0]}</div><div class="body"><h4>${name}${badge}</h4>${body}${under}${note}</div></article>`
}

/** A command as it stands above its answer. */
export const commandHtml = (person: string, line: string): string =>
  `<div class="command"><b>${person}</b> used <span class="mention">${escapeHtml(line)}</span></div>`

export const modalHtml = (data: Record<string, unknown>): string =>
  `<div class="modal"><h3>${escapeHtml(String(data.title))}</h3>${list(data.components).map(componentHtml).join('')}<div class="row end"><span class="button style2">Cancel</span><span class="button style1">Submit</span></div></div>`

/** A page of columns, each with its heading. */
export function pageHtml(columns: readonly { heading: string; html: string }[]): string {
  const shown = columns.map(({ heading, html }) => `<section><h2>${heading}</h2>${html}</section>`)
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><main>${shown.join('')}</main>`
}

const style = `
  * { box-sizing: border-box }
  body { margin: 0; font: 15px/1.4 "gg sans", "Liberation Sans", "DejaVu Sans", sans-serif; color: #dbdee1; background: #1e1f22 }
  main { display: inline-flex; gap: 16px; padding: 16px; align-items: flex-start; background: #1e1f22 }
  section { width: 600px; background: #313338; border-radius: 10px; padding: 4px 18px 16px }
  h2 { font-size: 14px; color: #f2f3f5; border-bottom: 1px solid #26272b; padding-bottom: 9px; margin: 10px 0 6px }
  h3 { margin: 0 0 10px; color: #f2f3f5; font-size: 19px } h4 { margin: 0 0 2px; font-size: 15px; color: #f2f3f5 }
  h5 { margin: 0 0 2px; font-size: 17px; color: #f2f3f5 }
  em { font: 700 10px sans-serif; background: #5865f2; color: #fff; border-radius: 3px; padding: 1px 4px; margin-left: 6px }
  article { display: flex; gap: 12px; margin: 12px 0 }
  .hidden { background: #3a3d5e; border-radius: 6px; padding: 8px; margin: 4px -8px 16px }
  .only { color: #949ba4; display: block; margin-top: 4px }
  .face { width: 38px; height: 38px; flex: none; border-radius: 50%; background: #e8912d; color: #fff; font-weight: 700;
    display: flex; align-items: center; justify-content: center }
  .face.app { background: #3d6ea8 }
  .body { min-width: 0; flex: 1 } li { margin-left: 18px } small { font-size: 12.5px; color: #a3a9b2; display: block }
  blockquote { margin: 0; border-left: 4px solid #4e5058; padding-left: 10px }
  code { background: #2b2d31; border-radius: 3px; padding: 1px 4px; font: 12.5px "DejaVu Sans Mono", monospace }
  pre { background: #2b2d31; border: 1px solid #1e1f22; border-radius: 4px; padding: 8px; margin: 4px 0; font: 13px/1.35 "DejaVu Sans Mono", monospace }
  a { color: #00a8fc }
  .mention { background: #3c4270; color: #c9cdfb; border-radius: 3px; padding: 0 3px }
  .time { background: #43454b; border-radius: 3px; padding: 0 3px }
  .card { border-left: 4px solid; background: #2b2d31; border-radius: 8px; padding: 12px 14px; margin-top: 4px }
  .text { margin-bottom: 8px }
  .row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 6px } .end { justify-content: flex-end }
  .button { border-radius: 8px; padding: 5px 14px; font-weight: 600; font-size: 14px; color: #fff; background: #4e5058 }
  .button.style1 { background: #5865f2 } .button.style3 { background: #248046 } .button.style4 { background: #da373c }
  .menu { background: #1e1f22; border: 1px solid #43454b; border-radius: 8px; padding: 7px 12px; width: 360px; color: #949ba4;
    display: flex; justify-content: space-between }
  .reaction { display: inline-block; background: #3c4270; border: 1px solid #5865f2; border-radius: 8px; padding: 1px 8px;
    font-size: 13px; margin: 4px 6px 0 0 }
  .eyes { width: 17px; height: 12px; vertical-align: -1px }
  .tick, .now, .open, .gone { display: inline-flex; width: 16px; height: 16px; border-radius: 4px; font: 700 11px "DejaVu Sans";
    align-items: center; justify-content: center; color: #fff; vertical-align: -2px; margin-right: 3px }
  .tick { background: #23a55a } .now { background: #5865f2; width: auto; min-width: 16px; padding: 0 2px }
  .open { border: 2px solid #80848e } .gone { background: #80848e }
  .command { color: #a3a9b2; font-size: 13px; margin: 14px 0 0 }
  .modal { background: #2b2d31; border: 1px solid #43454b; border-radius: 10px; padding: 18px; margin: 16px 20px }
  label { font-weight: 700; font-size: 13px } .modal p { margin: 2px 0 8px; color: #a3a9b2; font-size: 13px }
  .field { background: #1e1f22; border: 1px solid #43454b; border-radius: 6px; padding: 9px 11px 34px; margin-bottom: 10px }
`
