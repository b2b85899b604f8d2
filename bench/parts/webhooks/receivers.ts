import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../ask-child.ts'

/** Runs buyers' programs that receive webhooks. Healthy programs reply at once, all others never. */
const servers: Server[] = []
let wanted = 0
let arrived = 0
let firstAt = 0
let done = Promise.withResolvers<void>()

async function listen(answers: boolean): Promise<string> {
  const server = createServer((request, response) => {
    if (!answers) return
    request.resume()
    request.once('end', () => {
      response.end()
      note()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

function note(): void {
  if (arrived === 0) firstAt = performance.now()
  arrived += 1
  if (arrived === wanted) done.resolve()
}

const answers = {
  open: async ({ healthy, hanging }: { healthy: number; hanging: number }) => ({
    healthy: await Promise.all(Array.from({ length: healthy }, () => listen(true))),
    hanging: await Promise.all(Array.from({ length: hanging }, () => listen(false))),
  }),
  expect: (count: number) => {
    wanted = count
    arrived = 0
    done = Promise.withResolvers()
  },
  rate: async () => {
    await done.promise
    return ((wanted - 1) * 1_000) / (performance.now() - firstAt)
  },
}
export type ReceiverAnswers = typeof answers

answerParent(answers, async () => {
  for (const server of servers) server.closeAllConnections()
})
