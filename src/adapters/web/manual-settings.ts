/** Group of settings of `.env.example`: the comment above them, and their lines. */
interface Group {
  comment: string[]
  lines: string[]
}

const section = /^# -{5,20} (.{1,60}?) -{5,20}$/
const setting = /^# ?([A-Z][A-Z0-9_]{2,80})=/

/**
 * Page of the manual with every setting, made from `.env.example`: a part for each of its parts,
 * and a heading for each group of settings, by which they are found.
 */
export function settingsPage(file: string): string {
  const page = ['# Settings', '']
  let group: Group = { comment: [], lines: [] }
  const close = () => {
    page.push(...textOf(group), '')
    group = { comment: [], lines: [] }
  }
  for (const line of file.split('\n')) {
    const [, title] = section.exec(line) ?? []
    const isSetting = setting.test(line)
    if (title !== undefined || line === '' || (!isSetting && group.lines.length > 0)) close()
    if (title !== undefined) page.push(`## ${title}`, '')
    else if (isSetting) group.lines.push(line.replace(/^# ?/, ''))
    else if (line !== '') group.comment.push(line.replace(/^# ?/, ''))
  }
  close()
  return page.join('\n')
}

function textOf({ comment, lines }: Group): string[] {
  const text = comment.join('\n').replaceAll(/\bdocs\/([a-z-]{1,40})\.md/g, '[$1.md]($1.md)')
  if (lines.length === 0) return [text]
  const names = lines.map((line) => line.slice(0, line.indexOf('=')))
  return [`### ${names.join(', ')}`, '', text, '', '```sh', ...lines, '```']
}
