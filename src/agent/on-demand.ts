import { createRequire } from 'node:module'

/*
 * Packages that most processes never need, or not before somebody writes something: each is loaded
 * when it is first used, which takes 20 to 50 ms then instead of at every start (C174).
 */
const load = createRequire(import.meta.url)

export const yaml = (): typeof import('yaml') => load('yaml')
export const linearPatterns = (): typeof import('re2js') => load('re2js')
export const englishTimes = (): typeof import('chrono-node/en') => load('chrono-node/en')
export const markdown = (): typeof import('marked') => load('marked')
