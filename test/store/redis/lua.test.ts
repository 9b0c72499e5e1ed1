import { expect, it } from 'vitest'
import { scripts } from '../../../src/store/redis/scripts.ts'

it.each(Object.entries(scripts))('%s names its keys and arguments', (_, script) => {
  expect(script).toMatch(/^local [\w, ]+ = unpack\(KEYS, 1, \d+\)\nlocal [\w, ]+ = unpack\(ARGV, /)
  expect(script).not.toMatch(/\b(?:KEYS|ARGV)\[\d+\]/)
})
