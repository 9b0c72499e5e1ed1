import { readFile, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { yaml } from '../../agent/on-demand.ts'
import type { Tool } from '../../agent/ports/tool.ts'

/** Frontmatter of a `SKILL.md`, in the format that other agents use. Further keys are ignored. */
const Head = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'is not lower-case letters, digits and -, at most 64'),
  description: z.string().trim().min(1, 'is empty').max(1_024, 'is longer than 1,024 characters'),
})

/** Skill with the folder that its files may be read from. */
export type Skill = z.infer<typeof Head> & { folder: string }

/** Parses a skill's frontmatter, or returns a sentence about what is wrong. */
export function readHead(text: string): z.infer<typeof Head> | string {
  const head = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1]
  if (head === undefined) return 'does not begin with --- and the lines name and description'
  let fields: unknown
  try {
    fields = yaml().parse(head)
  } catch {
    return 'has a head that is not YAML'
  }
  const read = Head.safeParse(fields)
  if (read.success) return read.data
  return read.error.issues
    .map(({ path, message }) => `${path.join('.') || 'the head'} ${message}`)
    .join('; ')
}

/**
 * Longest file that a model reads, in characters. A longer skill is split into files that are read
 * on demand.
 */
const textMost = 9_500

/**
 * Creates the tool that reads a skill's body or another file in its folder. The tool is read-only.
 */
export function createReadSkillTool(skills: (channel: string) => readonly Skill[]): Tool {
  return {
    name: 'read_skill',
    effect: 'none',
    description:
      "Reads one of the team's skills: how something is done here. The input is the name of the skill, or the name and a file that the skill mentions, as in invoices/template.md.",
    async run(input, { channel }) {
      const [name = '', ...rest] = input.trim().split('/')
      const skill = skills(channel).find((one) => one.name === name.trim())
      if (skill === undefined) {
        const known = skills(channel).map((one) => one.name)
        return {
          ok: false,
          text: `there is no skill "${name.trim()}"; the skills are ${known.join(', ')}`,
        }
      }
      const text = await readWithin(skill.folder, rest.length === 0 ? 'SKILL.md' : rest.join('/'))
      if (text === null) return { ok: false, text: `the skill "${skill.name}" has no such file` }
      const body =
        rest.length === 0 ? text.replace(/^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/, '') : text
      return {
        ok: true,
        text: body.length <= textMost ? body : `${body.slice(0, textMost)}… [the rest is too long]`,
      }
    },
  }
}

/**
 * Returns a file's text, or `null` if it does not exist inside the folder. Links that lead out of
 * the folder are not followed.
 */
async function readWithin(folder: string, file: string): Promise<string | null> {
  try {
    const [home, path] = await Promise.all([realpath(folder), realpath(join(folder, file))])
    const inside = relative(home, path)
    if (inside === '..' || inside.startsWith(`..${sep}`)) return null
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}
