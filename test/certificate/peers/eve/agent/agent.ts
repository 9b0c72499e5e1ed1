import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { defineAgent } from 'eve'

const { MODEL_URL = '' } = process.env
const provider = createOpenAICompatible({
  name: 'scripted',
  baseURL: MODEL_URL,
  apiKey: 'none',
  includeUsage: true,
})

export default defineAgent({ model: provider('scripted'), modelContextWindowTokens: 64_000 })
