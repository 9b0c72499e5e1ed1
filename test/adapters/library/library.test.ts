import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLibrary } from '../../../src/adapters/library/library.ts'
import { createRepoReadTool, createRepoSearchTool } from '../../../src/agent/tools/repo-search.ts'
import { readConfig } from '../../../src/config.ts'
import { temporary } from '../coding/support.ts'

const { signal } = new AbortController()

function write(root: string, files: Record<string, string | Buffer>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
async function library(files: Record<string, string | Buffer>, git = false) {
  const [path, keptIn] = await Promise.all([temporary(), temporary()])
  write(path, files)
  if (git)
    execFileSync('git', ['init', '-q'], { cwd: path, env: { PATH: process.env.PATH, HOME: path } })
  const folders = [{ name: 'app', path }]
  return { path, keptIn, open: () => createLibrary({ folders, keptIn }) }
}
const found = async (one: ReturnType<typeof createLibrary>, words: string) =>
  ((await one.search(words, { name: null, most: 8 }, signal)) ?? []).map(
    ({ path, line }) => `${path}:${line}`,
  )

describe('the library', () => {
  it('finds words, parts of names and Chinese, and says where they stand (R98)', async () => {
    const { open } = await library({
      'src/report.ts': `${'// nothing\n'.repeat(50)}export function readReport(text: string) {\n  return text\n}\n`,
      'docs/计划.md': '我们下周去里斯本开会。\n',
      'README.md': 'A project about lighthouses.\n',
    })
    const books = open()
    expect(await books.index('app', signal)).toEqual({ ok: true, name: 'app', files: 3, left: 0 })
    expect((await found(books, 'report read'))[0]).toBe('src/report.ts:49')
    expect(await found(books, '里斯本')).toEqual(['docs/计划.md:1'])
    expect(await found(books, 'lighthouses')).toEqual(['README.md:1'])
    expect(await found(books, 'zebra')).toEqual([])
  })

  it('keeps its index, and makes it again when it is missing or damaged', async () => {
    const { open, keptIn, path } = await library({ 'a.txt': 'lighthouse' })
    // Nobody has read it yet: the first search does.
    expect(await found(open(), 'lighthouse')).toEqual(['a.txt:1'])
    write(path, { 'b.txt': 'lighthouse too' })
    expect(await found(open(), 'lighthouse')).toEqual(['a.txt:1'])
    await open().index('', signal)
    expect((await found(open(), 'lighthouse')).sort()).toEqual(['a.txt:1', 'b.txt:1'])
    const [file = ''] = readdirSync(keptIn)
    writeFileSync(join(keptIn, file), '{"index":')
    expect((await found(open(), 'lighthouse')).sort()).toEqual(['a.txt:1', 'b.txt:1'])
    rmSync(join(path, 'b.txt'))
    expect(await found(open(), 'lighthouse')).toEqual(['a.txt:1'])
  })

  it('leaves out what is secret, ignored, not text or too big', async () => {
    const files = {
      '.gitignore': 'ignored.txt\n',
      'ignored.txt': 'lighthouse',
      '.env': 'KEY=lighthouse',
      'certs/server.pem': 'lighthouse',
      'node_modules/x/index.js': 'lighthouse',
      'picture.bin': Buffer.from([0, 1, 2, 3]),
      'huge.txt': `lighthouse ${'x'.repeat(600_000)}`,
      'kept.txt': 'lighthouse',
    }
    const inGit = (await library(files, true)).open()
    expect(await inGit.index('app', signal)).toMatchObject({ files: 2, left: 2 })
    expect(await found(inGit, 'lighthouse')).toEqual(['kept.txt:1'])
    const plain = (await library(files)).open()
    expect((await found(plain, 'lighthouse')).sort()).toEqual(['ignored.txt:1', 'kept.txt:1'])
  })

  it('heeds what git ignores in a repository of another user, as in a container', async () => {
    const { open } = await library(
      { '.gitignore': 'a.txt\n', 'a.txt': 'lighthouse', 'b.txt': 'lighthouse' },
      true,
    )
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await found(open(), 'lighthouse')).toEqual(['b.txt:1'])
  })

  it('leaves out files whose names say that they hold secrets, and keeps those about them (S17)', async () => {
    const secrets = [
      ...[
        'credentials',
        'ops/Credentials.json',
        'secrets.yml',
        'server.pem',
        'tls.KEY',
        '.npmrc',
        '.netrc',
        '_netrc',
      ],
      ...[
        '.env',
        '.env.production',
        'id_rsa',
        'id_ed25519.bak',
        '.git-credentials',
        '.pypirc',
        '.aws/config',
      ],
      ...['service-account-prod.json', 'prod.tfvars', 'vault.kdbx'],
    ]
    const kept = ['.env.example', 'credentials.md', 'keys.ts', 'src/secrets.ts']
    const all = Object.fromEntries([...secrets, ...kept].map((name) => [name, 'lighthouse']))
    const { open, keptIn, path } = await library(all, true)
    const books = open()
    expect(await books.index('app', signal)).toMatchObject({ files: kept.length })
    expect((await found(books, 'lighthouse')).sort()).toEqual(kept.map((name) => `${name}:1`))

    // Nor is such a file shown that stands in an index of before.
    write(path, { 'plain.txt': 'zebra' })
    await open().index('app', signal)
    const [file = ''] = readdirSync(keptIn)
    const index = readFileSync(join(keptIn, file), 'utf8')
    writeFileSync(join(keptIn, file), index.replaceAll('plain.txt', 'credentials'))
    write(path, { credentials: 'zebra' })
    expect(await found(open(), 'zebra')).toEqual([])
  })

  it('leaves out a file that has a second name somewhere, and shows none that got one later (S17)', async () => {
    const outside = await temporary()
    write(outside, { 'secret.txt': 'lighthouse of somebody else' })
    const { open, path } = await library({ 'a.txt': 'lighthouse' }, true)
    linkSync(join(outside, 'secret.txt'), join(path, 'innocent.txt'))
    const books = open()
    expect(await books.index('app', signal)).toMatchObject({ files: 1, left: 1 })
    expect(await found(books, 'lighthouse')).toEqual(['a.txt:1'])
    rmSync(join(path, 'a.txt'))
    linkSync(join(outside, 'secret.txt'), join(path, 'a.txt'))
    expect(await found(books, 'lighthouse')).toEqual([])
  })

  it('never reads outside of its folder, wherever a link leads, also one that came later', async () => {
    const outside = await temporary()
    write(outside, { 'secret.txt': 'lighthouse of somebody else', 'deep/secret.txt': 'lighthouse' })
    const { open, path } = await library({ 'sub/a.txt': 'lighthouse' }, true)
    symlinkSync(join(outside, 'secret.txt'), join(path, 'link.txt'))
    symlinkSync(join(outside, 'deep'), join(path, 'folder'))
    const books = open()
    expect(await found(books, 'lighthouse')).toEqual(['sub/a.txt:1'])
    renameSync(join(path, 'sub'), join(path, 'moved'))
    symlinkSync(join(outside, 'deep'), join(path, 'sub'))
    write(outside, { 'deep/a.txt': 'lighthouse, secretly' })
    expect(await found(books, 'lighthouse')).toEqual([])
  })

  it('says what is wrong with a folder', async () => {
    const { open, path, keptIn } = await library({})
    expect(await open().index('app', signal)).toEqual({ ok: false, problem: 'empty' })
    expect(await open().index('/etc', signal)).toEqual({ ok: false, problem: 'unknown' })
    expect(await open().index('../..', signal)).toEqual({ ok: false, problem: 'unknown' })
    const gone = createLibrary({ folders: [{ name: 'app', path: join(path, 'gone') }], keptIn })
    expect(await gone.index(join(path, 'gone/'), signal)).toEqual({ ok: false, problem: 'missing' })
  })
})

describe('repo_search', () => {
  const context = {
    ...{
      workspace: 'w',
      channel: 'c',
      conversationId: 'i',
      person: null,
      locale: 'en',
      timeZone: 'UTC',
      now: 0,
    },
    ...{ effectId: 'e', signal },
  }

  it('shows the places that fit, of all folders or of one (R98, C40)', async () => {
    const { open } = await library({ 'a.txt': 'one\ntwo\na lighthouse\nfour' })
    const tool = createRepoSearchTool(open())
    expect(tool.effect).toBe('none')
    expect((await tool.run('lighthouse', context)).text).toMatch(
      /^app\/a\.txt:1\none\ntwo\na lighthouse\nfour\n\n\[The places that fit best, not every place:/,
    )
    expect(await tool.run('in:app lighthouse', context)).toMatchObject({ ok: true })
    expect(await tool.run('in:other lighthouse', context)).toMatchObject({ ok: false })
    expect(await tool.run('in:app ', context)).toMatchObject({ ok: false })
    expect((await tool.run('zebra', context)).text).toBe('I found nothing for “zebra”.')
  })
})

describe('what a task looks up in a folder', () => {
  const context = {
    ...{ workspace: 'w', channel: 'c', conversationId: 'i', person: null, locale: 'en' },
    ...{ timeZone: 'UTC', now: 0, effectId: 'e', signal },
  }
  const day = (at: number) =>
    at % 5 === 0 ? `Day ${at}: Gateway was restarted` : `Day ${at}: release 4.${at}, 19:59`
  const files = {
    'diary.md': Array.from({ length: 64 }, (_, at) => day(at + 1)).join('\n'),
    'notes/a.md': 'The gateway was not restarted.\nthe GATEWAY WAS RESTARTED at noon',
    'notes/deep/b.md': `4.19 rollout: in May\n${'x'.repeat(70_000)}end`,
    'notes/周报.md': '网关重启了两次',
    'notes/.env': 'KEY=gateway was restarted',
    'notes/picture.bin': Buffer.from([0, 1]),
  }

  it.each([
    ['"gateway was restarted"', 13, 'app/notes/a.md:2: the GATEWAY WAS RESTARTED at noon'],
    ['in:app “Day 5:”', 1, 'app/diary.md:5: Day 5: Gateway was restarted'],
    ['"网关重启"', 1, 'app/notes/周报.md:1: 网关重启了两次'],
    ['"lighthouse"', 0, ''],
  ])('finds every line that holds a phrase: %s (C498)', async (input, count, line) => {
    const { open } = await library(files)
    const { ok, text } = await createRepoSearchTool(open()).run(input, context)
    expect([ok, text]).toEqual([true, expect.stringContaining(line)])
    expect(text).toContain(`[All ${count} lines that hold it.]`)
    expect(text).toContain('1 files are not searched')
    expect(text).not.toContain('KEY=')
  })

  it.each([
    '"was restarted" twice',
    'noon “was restarted”',
    'in:app gateway "was restarted" noon',
    '"was restarted" "noon"',
  ])(
    'looks for the phrase alone where words stand beside it, and says so: %s (C551)',
    async (input) => {
      const { open } = await library(files)
      const { text } = await createRepoSearchTool(open()).run(input, context)
      expect(text).toContain('[All 13 lines that hold it.]')
      expect(text).toMatch(/not the words beside it\.\]$/)
    },
  )

  it('says of how many lines it shows the first, and nothing of a folder that nobody named (C498)', async () => {
    const { open } = await library({ 'a.txt': 'gate\n'.repeat(134) })
    const tool = createRepoSearchTool(open())
    expect((await tool.run('"gate"', context)).text).toContain('[The first 60 of 134 lines')
    expect(await tool.run('in:other "gate"', context)).toMatchObject({ ok: false })
  })

  it.each([
    ['4.19', 'Day 60: the 4.19 rollout'],
    ['v4.19 rollout', 'Day 60: the 4.19 rollout'],
    ['19:59 2026-11', 'Day 20: 2026-11-05, alarm at 19:59'],
  ])('takes a number with points for one, and shows its line: %s (C551)', async (words, line) => {
    const days = Array.from({ length: 120 }, (_, at) => `Day ${at}: 4 tickets, 19 mails, 59 calls`)
    const diary = days
      .with(60, 'Day 60: the 4.19 rollout')
      .with(20, 'Day 20: 2026-11-05, alarm at 19:59')
      .join('\n')
    const { open } = await library({ 'diary.md': diary, 'other.md': 'At 4, 19 of 59.' })
    const hits = await open().search(words, { name: null, most: 8 }, signal)
    expect(hits).toEqual([expect.objectContaining({ excerpt: expect.stringContaining(line) })])
  })

  it('leaves out places that fit far worse than the best one (C498)', async () => {
    const noise = Object.fromEntries([1, 2, 3].map((at) => [`noise-${at}.md`, `At 4, and 19:59.`]))
    const { open } = await library({ ...noise, 'plan.md': 'The 4.19 rollout of the gateway' })
    const { text = '' } = await createRepoSearchTool(open()).run('4.19 rollout gateway', context)
    expect(text).toContain('app/plan.md:1')
    expect(text).not.toContain('noise')
    // What fits about as well as the best place stays.
    expect(await found(open(), '4 19:59')).toHaveLength(3)
  })

  it.each([
    ['app', 'diary.md\nnotes/'],
    ['app/notes/', 'a.md\ndeep/\npicture.bin\n周报.md'],
    ['notes/deep', 'b.md'],
    ['app/notes/周报.md', '网关重启了两次'],
    ['diary.md:64', 'From character 1900 of'],
    ['app/notes/deep/b.md from 70021', 'From character 70021 of 70024:\nend'],
  ])('shows %s whole (C498)', async (input, text) => {
    const { open } = await library(files)
    const shown = await createRepoReadTool(open()).run(input, context)
    expect(shown.ok).toBe(true)
    if (text.startsWith('From character 1900'))
      expect(shown.text).toMatch(/^From character \d+ of \d+:\nDay 64: release 4\.64, 19:59$/)
    else expect(shown.text).toBe(text)
  })

  it.each([
    ...['app/notes/.env', 'app/notes/picture.bin', '../secret.txt', 'app/../../etc/passwd'],
    ...['other/diary.md', 'app/nothing.md', 'diary.md from 99999', '/etc/passwd'],
  ])('shows nothing at %s, and says so (C498, S17)', async (input) => {
    const { open } = await library(files)
    const shown = await createRepoReadTool(open()).run(input, context)
    expect(shown).toMatchObject({ ok: false, text: expect.not.stringContaining('KEY=') })
  })
})

describe('INDEX_FOLDERS', () => {
  it('names its folders, or takes the last part of a path', () => {
    expect(readConfig({ INDEX_FOLDERS: '/srv/app, docs=/srv/handbook' }).INDEX_FOLDERS).toEqual([
      { name: 'app', path: '/srv/app' },
      { name: 'docs', path: '/srv/handbook' },
    ])
    expect(() => readConfig({ INDEX_FOLDERS: '/a/app,/b/app' })).toThrow(/two folders one name/)
  })
})
