import { once } from 'node:events'
import { createConnection } from 'node:net'
import { expect, it } from 'vitest'
import { connect, startStore, temporaryFolder } from './support.ts'

it('the embedded store still answers after 7,000 connections came and went', async () => {
  const { url } = await startStore({ dataDir: await temporaryFolder() })
  const port = Number(new URL(url).port)
  const visit = async (): Promise<void> => {
    const socket = createConnection(port, '127.0.0.1')
    socket.end('PING\r\n')
    await once(socket, 'data')
    await once(socket, 'close')
  }
  for (let opened = 0; opened < 7000; opened += 100)
    await Promise.all(Array.from({ length: 100 }, visit))
  const client = connect(url)
  expect(await client.info('stats')).toMatch(/total_connections_received:70\d\d/)
  expect(await client.info('clients')).toMatch(/connected_clients:2\r/)
})
