import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingNames } from '../../src/config.ts'

const readme = readFileSync('README.md', 'utf8')
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const section = (heading: string) => readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''

describe('the README', () => {
  it('gives a reason for every dependency, and for no other', () => {
    const named = [...section('Dependencies').matchAll(/`([@a-z][^`]*)`/g)].map(([, name = '']) => name)
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const types = Object.keys(devDependencies).filter((name) => name.startsWith('@types/'))
    const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(named.sort()).toEqual(used.filter((name) => !types.includes(name)).sort())
  })

  it('names only scripts and settings that exist', () => {
    const scripts = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name)
    for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script)
    const settings = [...section('Settings').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name)
    for (const setting of settings) expect(settingNames).toContain(setting)
  })

  it('says in plain words which window cannot be closed (P2) and what is not promised of a failover (P9)', () => {
    const promises = section('What is promised, and what is not')
    expect(promises).toMatch(/accept a message while its answer never arrives/)
    expect(promises).toMatch(/failover to a replica that lacks acknowledged writes loses those writes/)
    expect(promises).toMatch(/power failure can lose about the last second/)
  })

  it('shows a picture that is there', () => {
    for (const [, path = ''] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      expect(readFileSync(path).length).toBeGreaterThan(10_000)
  })
})
