import { expect, it } from 'vitest'
import { texts } from '../../src/locales/texts.ts'
import { choiceOf, offersFor } from '../../src/setup/model-choice.ts'

const words = texts('en').setupGuide
const ollama = { server: 'Ollama', url: 'http://127.0.0.1:11434/v1', model: 'qwen3' }

it('offers what runs on this machine, then providers whose key is set (C516)', () => {
  const offers = offersFor([ollama], { ANTHROPIC_API_KEY: 'sk-ant-1', GROQ_API_KEY: '' }, words)
  expect(offers).toEqual([
    {
      label: 'qwen3, on this machine (Ollama)',
      settings: { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1', OPENAI_MODEL: 'qwen3' },
    },
    {
      label: 'Anthropic, with the ANTHROPIC_API_KEY that is already set',
      settings: { AGENT_MODELS: expect.stringMatching(/^anthropic:./) },
    },
  ])
})

const offers = offersFor([ollama], {}, words)
it.each([
  ['1', { kind: 'settings', settings: offers[0]?.settings }],
  ['sk-proj-abc', { kind: 'settings', settings: { OPENAI_API_KEY: 'sk-proj-abc' } }],
  [' sk-ant-abc ', { kind: 'provider', provider: 'anthropic', key: 'sk-ant-abc' }],
  ['AIzaSyA', { kind: 'provider', provider: 'google', key: 'AIzaSyA' }],
  ['Mistral  k1', { kind: 'provider', provider: 'mistral', key: 'k1' }],
  ['deepseek sk-1', { kind: 'provider', provider: 'deepseek', key: 'sk-1' }],
  [
    'http://10.0.0.5:8000/v1/',
    { kind: 'settings', settings: { OPENAI_BASE_URL: 'http://10.0.0.5:8000/v1' } },
  ],
  [
    'https://llm.example.org/v1 k2',
    {
      kind: 'settings',
      settings: { OPENAI_BASE_URL: 'https://llm.example.org/v1', OPENAI_API_KEY: 'k2' },
    },
  ],
])('reads %j as what to try (C516)', (typed, choice) => {
  expect(choiceOf(typed, offers)).toEqual(choice)
})

it.each(['0', '2', 'yes', 'mistral', 'localhost:8000', 'sk-1 sk-2', 'https://', 'a b c'])(
  'does not guess what %j means (C516)',
  (typed) => {
    expect(choiceOf(typed, offers)).toBeNull()
  },
)
