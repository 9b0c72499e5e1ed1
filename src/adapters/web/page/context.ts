import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Client } from './client.ts'
import type { State } from './state.ts'

/** What every part of the page can reach: the state it is drawn from and what can be done. */
export const ClientContext = createContext<{ client: Client; state: State } | null>(null)

export function useClient(): { client: Client; state: State } {
  const found = useContext(ClientContext)
  if (found === null) throw new Error('drawn outside the page')
  return found
}
