import { itIsAccessible } from './axe.ts'

itIsAccessible([
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' },
])
