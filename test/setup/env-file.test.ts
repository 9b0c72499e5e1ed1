import { expect, it } from 'vitest'
import { withSettings } from '../../src/setup/env-file.ts'

it('puts a setting in the place of its old line, and leaves all others as they are (C516)', () => {
  const before = '# ours\nexport PORT=1\n#OPENAI_API_KEY=\nTOKEN="a b"\n\n# end\n'
  expect(withSettings(before, { PORT: '2', OPENAI_API_KEY: 'sk-1' })).toBe(
    '# ours\nPORT=2\n#OPENAI_API_KEY=\nTOKEN="a b"\n\n# end\nOPENAI_API_KEY=sk-1\n',
  )
  expect(withSettings('', { A: 'x y#z' })).toBe("A='x y#z'\n")
})

it('refuses what the file could not hold as meant (C516)', () => {
  expect(() => withSettings('A="one\nB=2"\n', { A: 'b' })).toThrow('cannot be written')
  expect(() => withSettings('', { A: "it's # here" })).toThrow('cannot be written')
})
