import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingNames } from '../../src/config.ts'

const readme = readFileSync('README.md', 'utf8')
const dependenciesPage = readFileSync('docs/dependencies.md', 'utf8')
const pages = [readme, dependenciesPage, readFileSync('docs/figures.md', 'utf8')]
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const section = (heading: string) => readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''

describe('the README', () => {
  it('leads to a page with a reason for every dependency, and for no other', () => {
    const named = [...dependenciesPage.matchAll(/`([@a-z][^`]*)`/g)].map(([, name = '']) => name)
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const types = Object.keys(devDependencies).filter((name) => name.startsWith('@types/'))
    const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(named.sort()).toEqual(used.filter((name) => !types.includes(name)).sort())
  })

  it('names only scripts and settings that exist', () => {
    const scripts = pages
      .flatMap((page) => [...page.matchAll(/npm run ([a-z:-]+)/g)])
      .map(([, name = '']) => name)
    for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script)
    const settings = [...readme.matchAll(/`([A-Z]+_[A-Z_]+)\b/g)].map(([, name = '']) => name)
    expect(settings.length).toBeGreaterThan(4)
    for (const setting of settings) expect(settingNames).toContain(setting)
  })

  it('says in plain words which window cannot be closed (P2) and what is not promised of a failover (P9)', () => {
    const promises = section('What it promises')
    expect(promises).toMatch(/accept a message while its answer never arrives/)
    expect(promises).toMatch(
      /failover to a replica that lacks acknowledged writes loses those writes/,
    )
    expect(promises).toMatch(/power failure can lose about the last second/)
  })

  it('leads only to files that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path)
    for (const path of links) expect(existsSync(path), path).toBe(true)
  })

  it('shows a picture that is there', () => {
    for (const [, path = ''] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      expect(readFileSync(path).length).toBeGreaterThan(10_000)
  })
})
