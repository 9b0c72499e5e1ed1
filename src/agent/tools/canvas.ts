import { texts } from '../../locales/texts.ts'
import { linked } from '../domain/elsewhere.ts'
import type { Canvases } from '../ports/canvases.ts'
import type { Tool } from '../ports/tool.ts'

const description =
  "Writes a text up as a canvas, a document of its own that the people of this thread can open. Use it only when a person asks for a canvas. The input's first line is the title, and the text stands from the second line on, in Markdown, whole: it is not repeated in the report."

/** The tool `canvas` (C960): it shows a text to nobody but the readers of the thread (S97). */
export function createCanvasTool(canvasesOf: (workspace: string) => Canvases | null): Tool {
  return {
    name: 'canvas',
    effect: 'keyed',
    offeredIn: (workspace) => canvasesOf(workspace)?.offers(workspace) ?? false,
    description,
    check: (input) => (readCanvas(input) === null ? texts('en').canvas.form : null),
    async run(input, context) {
      const { canvas: words } = texts(context.locale)
      const read = readCanvas(input)
      if (read === null) return { ok: false, text: words.form }
      const links = (await context.links?.()) ?? []
      const made = await canvasesOf(context.workspace)?.make({ ...read, links }, context)
      if (made === undefined) return { ok: false, text: words.problems.away }
      if ('problem' in made) return { ok: false, text: words.problems[made.problem] }
      const { link } = made
      const text = words.made(linked(read.title, link))
      return { ok: true, text, note: { text, offers: [], links: [link] } }
    },
  }
}

/** Title, without marks of Markdown, and text; null: one is missing. */
function readCanvas(input: string): { title: string; markdown: string } | null {
  const [first = '', ...lines] = input.trim().split('\n')
  const title = first
    .replace(/[#*`[\]<>]/g, '')
    .trim()
    .slice(0, 150)
  const markdown = lines.join('\n').trim()
  return title === '' || markdown === '' ? null : { title, markdown }
}
