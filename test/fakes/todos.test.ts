import { describeTodos } from '../contracts/todos.ts'
import { createFakeTodos } from './todos.ts'

describeTodos('the fake', async () => ({ todos: createFakeTodos(), close: async () => {} }))
