import { itIsAccessible } from './axe.ts'

itIsAccessible([
  { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
])
