import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** A client's request. `sentAt` is the time when the operating system got all of it. */
type Sent = { sentAt: number; outcome: 'answered' | { broken: string } }

/** Clients that send requests to one address over keep-alive connections, and record them. */
export type Callers = {
  /** Lists requests that were sent before `moment` (of `performance.now()`) and got no proper response. */
  brokenBefore(moment: number): string[]
  answered(): number
  /** Resolves when the clients can no longer connect, or the server says that it is full. */
  ended: Promise<void>
}

export function startCallers(url: string, input: { callers: number; headers?: Record<string, string> }): Callers {
  const agent = new Agent({ keepAlive: true, maxSockets: input.callers })
  const sent: Sent[] = []
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const call = request(url, { agent, headers: input.headers ?? {} })
      const own: Sent = { sentAt: Number.POSITIVE_INFINITY, outcome: 'answered' }
      const fail = (error: Error) => {
        own.outcome = { broken: String(error) }
        reject(error)
      }
      call.once('finish', () => {
        own.sentAt = performance.now()
        sent.push(own)
      })
      call.once('error', fail)
      call.once('response', (reply) => {
        text(reply).then(() => {
          if (reply.statusCode !== 200) own.outcome = { broken: `status ${reply.statusCode}` }
          resolve()
        }, fail)
      })
      call.end()
    })
  const askOn = async () => {
    for (;;) await ask()
  }
  const callers = Array.from({ length: input.callers }, () => askOn().catch((error: Error) => error))
  return {
    brokenBefore: (moment) =>
      sent.flatMap(({ sentAt, outcome }) => (outcome !== 'answered' && sentAt < moment ? [outcome.broken] : [])),
    answered: () => sent.filter(({ outcome }) => outcome === 'answered').length,
    ended: Promise.all(callers).then(() => agent.destroy()),
  }
}
