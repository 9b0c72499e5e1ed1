import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'

/** What an image would be: where its files lie and how a container of it starts. */
export type Image = {
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly user: string
  readonly volumes: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
  /** What its steps ask apt-get for, one call a line. */
  readonly apt: readonly string[]
}

type Draft = { -readonly [Key in keyof Image]: Image[Key] }
type Place = { readonly project: string; readonly root: string }

/**
 * Carries the steps of `project`'s Dockerfile out below the folder `root`, which stands in for `/`.
 *
 * It knows the few instructions that we use and throws on any other. `FROM` is taken to be the Node that runs this, and each
 * stage has a folder of its own until the last is done;
 * `chown` does nothing, since the image's user does not exist here, and `apt-get` only says what it was asked for.
 */
export function build({ project, root }: Place): Image {
  const stages = join(root, 'stages')
  let draft = begun(root)
  let place = { project, root }
  for (const [instruction, rest] of instructions(
    readFileSync(join(project, 'Dockerfile'), 'utf8'),
  )) {
    if (instruction !== 'FROM') {
      carryOut(draft, instruction, rest, place, stages)
      continue
    }
    const name = / AS (\S+)/.exec(rest)?.[1]
    place = { project, root: name === undefined ? root : join(stages, name) }
    mkdirSync(place.root, { recursive: true })
    draft = begun(place.root)
  }
  rmSync(stages, { recursive: true, force: true })
  return draft
}

const begun = (folder: string): Draft => {
  return { env: {}, folder, user: 'root', volumes: [], command: [], healthcheck: [], apt: [] }
}

function carryOut(
  draft: Draft,
  instruction: string,
  rest: string,
  place: Place,
  stages: string,
): void {
  switch (instruction) {
    case 'EXPOSE':
      return
    case 'ENV':
      draft.env = {
        ...draft.env,
        ...Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split('='))),
      }
      return
    case 'WORKDIR':
      draft.folder = join(place.root, rest)
      mkdirSync(draft.folder, { recursive: true })
      return
    case 'COPY':
      copy(rest.split(/\s+/), draft.folder, place.project, stages)
      return
    case 'RUN':
      run(rest, draft, place.root)
      return
    case 'USER':
      draft.user = rest
      return
    case 'VOLUME':
      draft.volumes = [...draft.volumes, rest]
      return
    case 'HEALTHCHECK':
      draft.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 3))
      return
    case 'CMD':
      draft.command = JSON.parse(rest)
      return
    default:
      throw new Error(`the test knows no ${instruction}`)
  }
}

/** The instructions of a Dockerfile with their arguments; comments dropped, continued lines joined. */
function instructions(dockerfile: string): [string, string][] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [instruction = '', ...rest] = line.trim().split(/\s+/)
      return [instruction, rest.join(' ')]
    })
}

function copy(parts: readonly string[], folder: string, project: string, stages: string): void {
  const target = join(folder, parts.at(-1) ?? '.')
  const stage = /^--from=(.+)/.exec(parts[0] ?? '')?.[1]
  if (stage !== undefined) cpSync(join(stages, stage, parts[1] ?? ''), target, { recursive: true })
  if (stage !== undefined) return
  for (const source of parts.slice(0, -1)) {
    if (!inContext(source, project))
      throw new Error(`.dockerignore keeps ${source} out of the image`)
    cpSync(
      join(project, source),
      parts.at(-1)?.endsWith('/') ? join(target, basename(source)) : target,
      {
        recursive: true,
      },
    )
  }
}

/** Whether `.dockerignore`, which shuts everything out and then lets names in, lets `source` in. */
function inContext(source: string, project: string): boolean {
  const lines = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n')
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (rules[0] !== '*') throw new Error('.dockerignore does not begin by shutting everything out')
  return rules.some((rule) => rule === `!${source}`)
}

function run(rest: string, draft: Draft, root: string): void {
  const shims = join(root, 'shims')
  mkdirSync(shims, { recursive: true })
  writeFileSync(join(shims, 'chown'), '#!/bin/sh\n')
  chmodSync(join(shims, 'chown'), 0o755)
  const asked = join(shims, 'asked')
  writeFileSync(join(shims, 'apt-get'), `#!/bin/sh\necho "$@" >> "${asked}"\n`)
  chmodSync(join(shims, 'apt-get'), 0o755)

  const command = rest.replaceAll(/--mount=\S+ /g, '').replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`)
  const path = [shims, dirname(process.execPath), process.env.PATH].join(delimiter)
  // What npm has fetched before, it need not fetch again: the lock file pins the content either way.
  const env = {
    ...process.env,
    ...draft.env,
    PATH: path,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  }
  execFileSync('sh', ['-c', command], {
    cwd: draft.folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  draft.apt = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : []
}
