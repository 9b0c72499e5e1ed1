import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Client } from './client.ts'
import type { Words } from './language.ts'
import type { State } from './state.ts'

export interface Page {
  client: Client
  state: State
  words: Words
}

/** Context of every part of the page: its actions, its state and its words. */
export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const found = useContext(PageContext)
  if (found === null) throw new Error('drawn outside the page')
  return found
}
