import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** These ports lie below the kernel's ephemeral range, so outgoing connections take none of them meanwhile. */
const FIRST_PORT = 12_000
const PORTS = 18_000

/** Finds a port on 127.0.0.1 for a program that must know its port before it starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS)
    const server = createServer()
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.listen(port, '127.0.0.1')
    const isFree = await listening
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
