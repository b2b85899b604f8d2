import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeUnusedConnections } from './close-unused.ts'

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test('a connection on which nothing was asked does not hold up the end; a request under way is answered', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' })
  closeUnusedConnections(app)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.get('/', () => {
    asked.resolve()
    return answer.promise
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const [address] = app.addresses()
  const port = address?.port ?? 0
  const waiting = await connectTo(port)
  waiting.write('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n')
  const reply = text(waiting)
  await asked.promise
  const unused = await connectTo(port)
  const hungUp = once(unused, 'close')

  const closed = app.close()
  await hungUp
  answer.resolve('the answer')
  expect(await reply).toContain('the answer')
  await closed
})
