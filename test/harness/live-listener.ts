import { type LiveEventName, type SentEvents, userChannel } from '#contract/live-events.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'
import type { TestApp, TestUser } from './harness.ts'

export type LiveListener = Disposable & {
  /** Resolves with the next live event called `name`, and skips other events. Rejects when the socket is closed. */
  next<Name extends LiveEventName>(name: Name): Promise<SentEvents[Name]>
  heard(last: LiveEventName): Promise<string[]>
  closed: TestSocket['closed']
}

/** Opens a real live socket on the main port, authorised for the user's channel by POST /broadcasting/auth. */
export async function listen(
  t: Pick<TestApp, 'url' | 'fetch'> & { ctx: { config: { realtime: { appKey: string } } } },
  user: Pick<TestUser, 'id' | 'token'>,
): Promise<LiveListener> {
  const socket = new TestSocket(`${t.url.replace('http', 'ws')}/app/${t.ctx.config.realtime.appKey}?protocol=7`)
  const socketId = await welcomed(socket)
  const channel = userChannel(user.id)
  const response = await t.fetch('/broadcasting/auth', {
    method: 'POST',
    token: user.token,
    body: new URLSearchParams({ socket_id: socketId, channel_name: channel }),
  })
  const signed = (await response.json()) as { auth: string }
  const answer = await socket.ask({ event: 'pusher:subscribe', data: { ...signed, channel } })
  if (!answer.includes('subscription_succeeded')) throw new Error(`not let into ${channel}: ${answer}`)
  return {
    closed: socket.closed,
    async next<Name extends LiveEventName>(name: Name) {
      for (;;) {
        const frame = JSON.parse(await socket.next()) as { event: string; data: string; channel: string }
        if (frame.event === name && frame.channel === channel) return JSON.parse(frame.data) as SentEvents[Name]
      }
    },
    async heard(last) {
      const names: string[] = []
      while (names.at(-1) !== last) names.push((JSON.parse(await socket.next()) as { event: string }).event)
      return names
    },
    [Symbol.dispose]: () => socket[Symbol.dispose](),
  }
}
