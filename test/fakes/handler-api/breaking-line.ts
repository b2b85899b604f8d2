import { listenOnLoopback } from '../loopback-server.ts'

/** `before` loses the request before the service gets it. `after` loses the service's answer. */
export type Loss = 'before' | 'after'

/** A proxy between two services that loses chosen requests or answers. */
export type BreakingLine = AsyncDisposable & {
  url: string
  readonly asked: string[]
  lose: (action: string) => Loss | undefined
  /** Returns a promise until which the answer is held back. */
  hold: (action: string) => Promise<void> | undefined
  instead: (action: string) => string | undefined
}

export async function openBreakingLine(target: string): Promise<BreakingLine> {
  const server = await listenOnLoopback((request, response) => {
    const { search, searchParams, pathname } = new URL(request.url ?? '', target)
    const action = searchParams.get('action') ?? ''
    line.asked.push(action)
    const own = line.instead(action)
    if (own !== undefined) {
      response.end(own)
      return
    }
    const loss = line.lose(action)
    if (loss === 'before') {
      response.destroy()
      return
    }
    const headers = { 'x-api-key': String(request.headers['x-api-key']) }
    fetch(`${target}${pathname}${search}`, { headers })
      .then(async (reply) => {
        const body = Buffer.from(await reply.arrayBuffer())
        await line.hold(action)
        if (loss === 'after') response.destroy()
        else response.writeHead(reply.status).end(body)
      })
      .catch(() => response.destroy())
  })
  const line: BreakingLine = {
    url: server.url,
    asked: [],
    lose: () => undefined,
    hold: () => undefined,
    instead: () => undefined,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return line
}
