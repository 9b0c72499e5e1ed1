import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCommand } from '../../../src/adapters/coding/command-line.ts'
import { createCodingFolder } from '../../../src/adapters/coding/folder-channel.ts'
import { readReport, readTaskFile, taskFile } from '../../../src/adapters/coding/protocol.ts'
import { reportFile } from '../../../src/adapters/coding/report-file.ts'
import { endIdOf, type Letter, orderIdOf } from '../../../src/agent/domain/mission.ts'
import { coding } from '../../../src/agent/strategies/coding.ts'
import { runs } from '../../support/runs.ts'
import { temporary } from './support.ts'

const letter: Letter = {
  id: orderIdOf('r_1', 1),
  missionId: 'r_1',
  createdAt: Date.UTC(2026, 2, 4, 10),
  sessionId: null,
  command: 'new',
  title: 'Add a test',
  description: 'Test add().',
  constraints: 'Only test/.',
  expected: 'node --test runs it.',
}
const limits = {
  ...{ maxSteps: 20, maxModelCalls: 100, maxToolCalls: 100, maxTokens: 1e6, maxWallMs: 1e7 },
  ...{ maxToolFailures: 3, maxContractFailures: 2, maxUnavailable: 5 },
}
const mission = coding.start('Make add() right', limits, false)

describe('a task file', () => {
  it('has the frontmatter and the sections of the protocol (R126)', () => {
    expect(taskFile(letter)).toBe(`---
id: task-${letter.id}
created_at: 2026-03-04T10:00:00.000Z
session_id: auto
command_type: new
mission_id: r_1
---

## 任务描述

Add a test

Test add().

## 约束条件

Only test/.

## 预期输出

node --test runs it.

${taskFile(letter).split('runs it.\n\n')[1]}`)
    expect(letter.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(
      readTaskFile(taskFile({ ...letter, sessionId: 's1', command: 'continue' })),
    ).toMatchObject({
      ...{ id: letter.id, sessionId: 's1', command: 'continue', missionId: 'r_1' },
    })
  })

  it('is named after its run and place, so that no two have one name (rule 5)', () => {
    const names = [1, 2, 3].flatMap((ordinal) => [
      orderIdOf('r_1', ordinal),
      orderIdOf('r_2', ordinal),
    ])
    expect(new Set([...names, endIdOf('r_1'), endIdOf('r_2')]).size).toBe(8)
  })
})

describe('a report', () => {
  const report = (status: string, more = '') =>
    `---\nsession_id: s1\nstatus: ${status}\n${more}---\n\nIt is done.\n`

  it.each([
    ...['SUCCESS', 'success', 'Completed', 'done'].map((word) => [word, 'success']),
    ...['PARTIAL_SUCCESS', 'partial', 'Partial Success'].map((word) => [word, 'partial']),
    ...['waiting_input', 'WAITING-INPUT', 'needs input'].map((word) => [word, 'waiting_input']),
    ...['FAILED', 'error', 'who knows', ''].map((word) => [word, 'failed']),
  ])('whose status is “%s” is a %s (C28)', (word, status) => {
    expect(readReport(report(word))?.status).toBe(status)
  })

  it('gives its session, result, pitfalls, advice and question, in Chinese or English (R127, F34)', () => {
    const text = `---
session_id: s-1
report_date: 2026-03-04
status: SUCCESS
tags: [a, b]
---

## 任务概览

Nothing.

## 核心成果

- A test.

## 填坑记录与风险预警

Mind the cache.

## Next steps

Mend it.
`
    expect(readReport(text)).toMatchObject({
      ...{
        status: 'success',
        sessionId: 's-1',
        deliverables: '- A test.',
        pitfalls: 'Mind the cache.',
        advice: 'Mend it.',
      },
      question: null,
    })
    expect(readReport(report('waiting_input', 'question: "Which port: 80?"\n'))?.question).toBe(
      'Which port: 80?',
    )
  })

  it.each([
    ...[
      '✅ SUCCESS',
      '**SUCCESS**',
      'SUCCESS ✅',
      '`success`.',
      '✅',
      '“Done”',
      'SUCCESS # all green',
    ]
      .concat(['SUCCESS (3 tests pass)', 'Success: it runs', '成功', '✅ 已完成', '**任务完成**'])
      .map((word) => [word, 'success']),
    ...['⚠️ PARTIAL', '部分成功', '*partially completed*', '部分完成（缺测试）'].map((word) => [
      word,
      'partial',
    ]),
    ...['❓ waiting_input', '等待输入', '**Needs clarification**', '需要确认'].map((word) => [
      word,
      'waiting_input',
    ]),
    ...['❌ FAILED', '失败', '未完成', '✅ not successful', 'unsuccessful'].map((word) => [
      word,
      'failed',
    ]),
  ])('whose status is written as “%s” is a %s (C371)', (word, status) => {
    expect(readReport(report(word))?.status).toBe(status)
  })

  const asking = (head: string) => `---\nstatus: waiting_input\n${head}\n---\n\nI looked.\n`
  it.each([
    ['question: Which port: 80 or 8080?', 'Which port: 80 or 8080?'],
    ['question: Close issue #12 or issue #13?', 'Close issue #12 or issue #13?'],
    ['question: @ana or @ben?', '@ana or @ben?'],
    ['question:\tWhich port?', 'Which port?'],
    ['\tquestion: Which port?', 'Which port?'],
    ['question: "Which port: 80?"', 'Which port: 80?'],
    ['question: "80" or "8080"?', '"80" or "8080"?'],
    ['question: `80` or *8080*?', '`80` or *8080*?'],
    ['question: [a] or [b]?', '[a] or [b]?'],
    ['question: |\n  Which port?\n  80: or 8080', 'Which port?\n80: or 8080'],
    ['question:\n  - 80\n  - 8080', '- 80\n- 8080'],
    ['question: Which port?\n  80 or 8080', 'Which port?\n80 or 8080'],
    ['question: Which?\nquestion: And when?', 'Which?\nAnd when?'],
    ['session_id: a\nsession_id: b\nquestion: Which?', 'Which?'],
    ['summary: Fixed add(): it multiplied\nquestion: Which?', 'Which?'],
    ['tags: [a, b\nquestion: Which?', 'Which?'],
    ['- **question**: Which?', 'Which?'],
    ['**question:** Which?', 'Which?'],
    ['问题：用哪个端口：80 还是 8080？', '用哪个端口：80 还是 8080？'],
  ])('asks whole where its head is not quite YAML: %j (C370)', (head, question) => {
    expect(readReport(asking(head))).toMatchObject({ status: 'waiting_input', question })
  })

  const head = '---\nstatus: SUCCESS\nsession_id: s1\n---\n\n## 核心成果\n\nIt is done.\n'
  it.each([
    `\n\n${head}`,
    `# Report\n\n${head}`,
    `<!-- made by an agent -->\n${head}`,
    `Here is my report.\n\n---\n\n${head}`,
    `\`\`\`markdown\n${head}\`\`\`\n`,
    `~~~\n${head}~~~`,
    '```yaml\n---\nstatus: SUCCESS\nsession_id: s1\n---\n```\n\n## 核心成果\n\nIt is done.',
    '```yaml\nstatus: SUCCESS\nsession_id: s1\n```\n\n## 核心成果\n\nIt is done.',
    head.replaceAll('\n', '\r\n'),
    head.replace('status: SUCCESS', 'status:SUCCESS'),
    head.replaceAll(/^(s.*)$/gm, '  $1'),
  ])('is read whatever stands around its head: %j (C370)', (text) => {
    expect(readReport(text)).toMatchObject({
      ...{ status: 'success', sessionId: 's1', deliverables: 'It is done.' },
      text: '## 核心成果\n\nIt is done.',
    })
  })

  it('that asks is not lost where it says no word for that, or that it was a success (C372)', () => {
    const said = (status: string, body = '') =>
      readReport(`---\nstatus: ${status}\nquestion: Which port?\n---\n${body}`)
    for (const status of ['blocked', 'FAILED', 'partial', ''])
      expect(said(status)).toMatchObject({ status: 'waiting_input', question: 'Which port?' })
    expect(said('SUCCESS', 'Done.')).toMatchObject({
      status: 'success',
      text: 'Done.\n\n## 问题\n\nWhich port?',
    })
    expect(said('SUCCESS', 'Done. Which port?')?.text).toBe('Done. Which port?')
    expect(readReport(report('FAILED', '\n').concat('## 遇到的问题\n\nA cache.'))?.status).toBe(
      'failed',
    )
  })

  it.each([
    '',
    '```markdown\n---\nstatus: SUCCESS\n',
    '```yaml\nstatus: SUCCESS\n',
    'status: SUCCESS',
    '---\nstatus: SUCC',
    '---\nstatus: SUCCESS\n',
    '---\nstatus: SUCCESS\n--',
  ])('is not read while its frontmatter is open: %j (C29)', (text) =>
    expect(readReport(text)).toBe(null),
  )

  it.each(['auto', '--resume', 'a b', '$(rm -rf x)', 'x'.repeat(201), ''])(
    'takes no session from %j',
    (id) => {
      expect(
        readReport(`---\nstatus: SUCCESS\nsession_id: ${JSON.stringify(id)}\n---\n`)?.sessionId,
      ).toBe(null)
    },
  )

  it('reads whatever an agent writes without failing (P11)', () => {
    const yaml = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom('a: &a [*a, *a]', 'status: {a: b}', '- status', '%', '? a'),
    )
    fc.assert(
      fc.property(yaml, fc.string(), (frontmatter, body) => {
        const read = readReport(`---\n${frontmatter}\n---\n${body}`)
        if (read !== null)
          expect(['success', 'failed', 'partial', 'waiting_input']).toContain(read.status)
        expect(() => readReport(body)).not.toThrow()
      }),
      { numRuns: runs() },
    )
  })
})

describe('the shared folder', () => {
  it('has each task once, also after the agent has taken it (rule 5, R127)', async () => {
    const folder = await temporary()
    const shared = createCodingFolder(folder)
    await shared.handOver(letter, mission)
    await shared.handOver({ ...letter, description: 'another' }, mission)
    const [name = ''] = readdirSync(join(folder, 'commands/pending'))
    expect(readdirSync(join(folder, 'commands/pending'))).toEqual([`task-${letter.id}.md`])
    expect(readFileSync(join(folder, 'commands/pending', name), 'utf8')).toContain('Test add()')
    renameSync(join(folder, 'commands/pending', name), join(folder, 'commands/processed', name))
    await shared.handOver(letter, mission)
    expect(readdirSync(join(folder, 'commands/pending'))).toEqual([])
    expect(readFileSync(join(folder, 'missions/r_1/MISSION.md'), 'utf8')).toContain(
      'Make add() right',
    )
  })

  it.each([`report-task-${letter.id}.md`, `report-${letter.id}.md`])(
    'finds %s, half written or whole (R127, C29)',
    async (name) => {
      const folder = await temporary()
      const shared = createCodingFolder(folder)
      await shared.handOver(letter, mission)
      expect(await shared.look(letter.id)).toBe(null)
      writeFileSync(join(folder, 'reports/pending', name), '---\nstatus: SUC')
      expect(await shared.look(letter.id)).toEqual({ size: 15, report: null })
      writeFileSync(join(folder, 'reports/pending', name), '---\nstatus: SUCCESS\n---\nDone.')
      expect(await shared.look(letter.id)).toMatchObject({
        size: 29,
        report: { status: 'success', text: 'Done.' },
      })
    },
  )

  it.each(['utf-16le', 'utf-16be', 'utf-8'] as const)(
    'reads a report in %s (C370)',
    async (encoding) => {
      const folder = await temporary()
      const shared = createCodingFolder(folder)
      await shared.handOver(letter, mission)
      const text = '\uFEFF---\nstatus: 成功\n---\nDone, für €5.'
      const bytes = encoding === 'utf-8' ? Buffer.from(text) : Buffer.from(text, 'utf16le')
      writeFileSync(
        join(folder, 'reports/pending', `report-${letter.id}.md`),
        encoding === 'utf-16be' ? bytes.swap16() : bytes,
      )
      expect(await shared.look(letter.id)).toMatchObject({
        report: { status: 'success', text: 'Done, für €5.' },
      })
    },
  )

  it('reads no link and no folder in the place of a report', async () => {
    const folder = await temporary()
    const shared = createCodingFolder(folder)
    await shared.handOver(letter, mission)
    writeFileSync(join(folder, 'secret'), '---\nstatus: SUCCESS\n---\nsecret')
    symlinkSync(
      join(folder, 'secret'),
      join(folder, 'reports/pending', `report-task-${letter.id}.md`),
    )
    mkdirSync(join(folder, 'reports/pending', `report-${letter.id}.md`))
    expect(await shared.look(letter.id)).toBe(null)
  })
})

describe('a command template', () => {
  it('is words with quotes, and nothing of a shell', () => {
    expect(readCommand(`agent -p '{prompt}' --id={session_id} "a \\"b\\" $HOME" x'y z'`)).toEqual([
      ...['agent', '-p', '{prompt}', '--id={session_id}', 'a "b" $HOME', 'xy z'],
    ])
  })
  it.each(['', "agent 'open", 'agent {promt}'])('refuses %j', (text) => {
    expect(() => readCommand(text)).toThrow(/command/)
  })
})

describe('the report of a run of the command', () => {
  const execution = (output: string, exitCode: number | null = 0) => ({
    end: { why: 'ended' as const, exitCode, output, ms: 1_500 },
    ...{
      sessionId: 's1',
      at: '2026-03-04T10:00:00.000Z',
      argv: ['agent'],
      changes: ' M src/add.js',
      written: null,
    },
  })
  const read = (output: string, exitCode: number | null = 0) =>
    readReport(reportFile(execution(output, exitCode)))

  it('is what it printed, with its status and what can be checked', () => {
    expect(read('All done.')).toMatchObject({
      status: 'success',
      sessionId: 's1',
      deliverables: 'All done.',
    })
    expect(read('All done.')?.text).toMatch(/exit code: 0[\s\S]* M src\/add\.js/)
    expect(read('Oh no.', 1)?.status).toBe('failed')
  })

  it('is its own report where it prints one, but no success of a command that failed', () => {
    const own =
      '---\nstatus: waiting_input\nsession_id: mine\nquestion: Which?\n---\n\nI need to know.'
    expect(read(`Thinking…\n${own}`)).toMatchObject({
      status: 'waiting_input',
      sessionId: 'mine',
      question: 'Which?',
    })
    expect(read('---\nstatus: SUCCESS\n---\nDone.', 1)?.status).toBe('failed')
    expect(read('---\nnot a report\n---\nDone.')).toMatchObject({
      status: 'success',
      sessionId: 's1',
    })
  })
})
