import { listenOnLoopback } from '../loopback-server.ts'

/** `before`: the request is lost. `after`: its answer is. */
export type Loss = 'before' | 'after'

/** Stands between two services, and loses what it is told to lose. */
export type BreakingLine = AsyncDisposable & {
  url: string
  /** Actions that came this way. */
  readonly asked: string[]
  lose: (action: string) => Loss | undefined
  /** The answer waits for it. */
  hold: (action: string) => Promise<void> | undefined
  /** Answers itself. */
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
