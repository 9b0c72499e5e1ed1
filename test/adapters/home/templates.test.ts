import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { examine } from '../../../scripts/doctor.ts'
import { openHome } from '../../../src/adapters/home/home.ts'
import { readTemplate } from '../../../src/adapters/home/templates.ts'
import type { Log } from '../../../src/agent/ports/log.ts'
import { createManualClock } from '../../fakes/clock.ts'

async function homeWith(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-plans-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'plans'))
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, 'plans', name), text)
  return folder
}

describe('a plan that comes again, as a file', () => {
  it('is a heading, a line about it, and a list of steps (C124)', () => {
    const file =
      '# Release\n\nWhat we do for a version.\n\n1. Collect what was merged\n   since the last one\n2) Sort it\n- Write it\n'
    expect(readTemplate(file, 'release')).toEqual({
      name: 'release',
      about: 'What we do for a version.',
      steps: ['Collect what was merged since the last one', 'Sort it', 'Write it'],
    })
    expect(readTemplate('# Release notes\n* Sort\n', 'release')).toMatchObject({
      about: 'Release notes',
      steps: ['Sort'],
    })
  })

  it('may have a head like a skill’s, whose name goes before the file’s (C124)', () => {
    const file = '---\nname: weekly\ndescription: >\n  Every\n  week.\n---\n# Anything\n- Look\n'
    expect(readTemplate(file, 'anything')).toEqual({
      name: 'weekly',
      about: 'Every week.',
      steps: ['Look'],
    })
  })

  it.each([
    ['', 'release', 'begins with neither'],
    ['# Release\n\nNo list.', 'release', 'has no list of steps'],
    ['# Release\n- Look', 'My release', 'has a name that is not'],
    ['---\nname: x\n---\n- Look', 'x', 'description'],
    [`# Release\n${'- Look\n'.repeat(21)}`, 'release', 'more than 20 steps'],
    [`# Release\n- ${'x'.repeat(301)}`, 'release', 'longer than 300 characters'],
  ])('that cannot be used is said in a sentence: %j (C125)', (text, name, problem) => {
    expect(readTemplate(text, name)).toContain(problem)
  })
})

describe('a folder of plans', () => {
  it('is read again without a restart; a bad file is named once, in the doctor too, and the rest works (C125)', async () => {
    const folder = await homeWith({
      'release.md': '# Release\n- Sort\n- Write',
      'bad.md': 'Nothing.',
      'same.md': '---\nname: release\ndescription: Twice\n---\n- Look',
    })
    const clock = createManualClock()
    const warned: string[] = []
    const log: Log = {
      debug() {},
      info() {},
      error() {},
      warn: (_, line) => void warned.push(line),
    }
    const home = await openHome(folder, { clock, log })
    onTestFinished(() => home.stop())
    expect(home.words().templates).toEqual([
      { name: 'release', about: 'Release', steps: ['Sort', 'Write'] },
    ])
    const problems = [
      expect.stringMatching(/plans\/bad\.md begins with neither/),
      expect.stringMatching(/plans\/same\.md: another plan is called release/),
    ]
    expect(home.problems()).toEqual(problems)
    for (let looks = 0; looks < 3; looks += 1) await clock.advance(2_000)
    expect(warned).toHaveLength(2)
    const findings = await examine({ AGENT_HOME: folder }, [])
    expect(findings.map(({ line }) => line)).toEqual(expect.arrayContaining(problems))

    await writeFile(join(folder, 'plans/bad.md'), '# Good now\n- Look')
    while ((home.words().templates ?? []).length !== 2) {
      await clock.advance(2_000)
      await wait(5)
    }
    expect(home.problems()).toHaveLength(1)
  })
})
