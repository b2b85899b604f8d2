import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import fastify from 'fastify'
import Echo from 'laravel-echo'
import { expect, test } from 'vitest'
import type { MessageRecord } from '#contract/activation.ts'
import { userChannel } from '#contract/live-events.ts'
import { AuthorisationRefused } from '#server/house/realtime/authorise.ts'
import type { Realtime } from '#server/house/realtime/realtime.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { LIVE_NAMES } from '#test/builders/live-names.ts'
import { startRealtime } from '#test/services/realtime-service.ts'

/** pusher-js is a CommonJS module that exports the class itself, but its types describe an ES module. */
const Pusher: typeof import('pusher-js').default = createRequire(import.meta.url)('pusher-js')
type PusherClient = InstanceType<typeof Pusher>

const SESSIONS = new Map([
  ['Bearer phone-token', { userId: 7, sessionId: 'phone' }],
  ['Bearer desk-token', { userId: 7, sessionId: 'desk' }],
])

type AuthBody = { socket_id: string; channel_name: string }

async function startSite(live: { realtime: Realtime }) {
  const app = fastify()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof AuthorisationRefused)) throw error
    return reply.status(403).send({ status: false })
  })
  const identity = (authorization: string | undefined) => {
    const session = SESSIONS.get(authorization ?? '')
    if (session === undefined) throw new AuthorisationRefused('session-ended')
    return session
  }
  app.get('/api/user', async (request) => ({ id: identity(request.headers.authorization).userId }))
  app.post<{ Body: AuthBody }>('/broadcasting/auth', async ({ headers, body }) =>
    live.realtime.authorise({
      socketId: body.socket_id,
      channel: body.channel_name,
      ...identity(headers.authorization),
    }),
  )
  app.post<{ Body: AuthBody }>('/broadcasting/user-auth', async ({ headers, body }) =>
    live.realtime.authoriseUser({ socketId: body.socket_id, ...identity(headers.authorization) }),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, [Symbol.asyncDispose]: () => app.close() }
}

function pusherClient({ url, port, token }: { url: string; port: number; token: string }): PusherClient {
  const headers = { Authorization: `Bearer ${token}` }
  return new Pusher('ringpost', {
    cluster: '',
    wsHost: '127.0.0.1',
    wsPort: port,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: { transport: 'ajax', endpoint: `${url}/broadcasting/auth`, headers },
    userAuthentication: { transport: 'ajax', endpoint: `${url}/broadcasting/user-auth`, headers },
  })
}

function told(source: { bind(name: string, listener: (data: unknown) => void): unknown }, name: string) {
  return new Promise<unknown>((resolve) => source.bind(name, resolve))
}

const TOPUP = { balance: '5', currency: 'rub' } as const

test('pusher-js is let into its own channel and told events', async () => {
  await using live = await startRealtime()
  await using site = await startSite(live)
  using cleanup = new DisposableStack()
  const pusher = cleanup.adopt(pusherClient({ ...site, port: live.port, token: 'phone-token' }), (p) => p.disconnect())
  const channel = pusher.subscribe('private-user.7')
  await told(channel, 'pusher:subscription_succeeded')
  const event = told(channel, 'BalanceTopup')
  expect(live.realtime.publish(userChannel(7), 'BalanceTopup', TOPUP)).toBe(1)
  expect(await event).toEqual(TOPUP)
})

test('pusher-js is refused another user’s channel, and refused without a session', async () => {
  await using live = await startRealtime()
  await using site = await startSite(live)
  using cleanup = new DisposableStack()
  const foreign = cleanup.adopt(pusherClient({ ...site, port: live.port, token: 'phone-token' }), (p) => p.disconnect())
  const error = { type: 'AuthError', status: 403 }
  expect(await told(foreign.subscribe('private-user.8'), 'pusher:subscription_error')).toMatchObject(error)
  const nobody = cleanup.adopt(pusherClient({ ...site, port: live.port, token: 'unknown' }), (p) => p.disconnect())
  expect(await told(nobody.subscribe('private-user.7'), 'pusher:subscription_error')).toMatchObject(error)
})

test('pusher-js signs in', async () => {
  await using live = await startRealtime()
  await using site = await startSite(live)
  using cleanup = new DisposableStack()
  const pusher = cleanup.adopt(pusherClient({ ...site, port: live.port, token: 'phone-token' }), (p) => p.disconnect())
  const errors: unknown[] = []
  pusher.connection.bind('error', (error: unknown) => errors.push(error))
  const entered = told(pusher, 'pusher:signin_success')
  pusher.signin()
  await entered
  await pusher.user.signinDonePromise
  expect(pusher.user.user_data).toEqual({ id: '7' })
  // After signing in, the client enters #server-to-user-7 by itself. A later reply shows no refusal of that.
  await told(pusher.subscribe('private-user.7'), 'pusher:subscription_succeeded')
  expect(errors).toEqual([])
  expect(live.realtime.stats()).toMatchObject({ subscriptions: 2 })
})

test('pusher-js stays away when its session ended, and another session is not disturbed', async () => {
  await using live = await startRealtime()
  await using site = await startSite(live)
  using cleanup = new DisposableStack()
  const phone = cleanup.adopt(pusherClient({ ...site, port: live.port, token: 'phone-token' }), (p) => p.disconnect())
  const desk = cleanup.adopt(pusherClient({ ...site, port: live.port, token: 'desk-token' }), (p) => p.disconnect())
  const deskChannel = desk.subscribe('private-user.7')
  await Promise.all([
    told(phone.subscribe('private-user.7'), 'pusher:subscription_succeeded'),
    told(deskChannel, 'pusher:subscription_succeeded'),
  ])
  const away = told(phone.connection, 'disconnected')
  expect(live.realtime.closeSession('phone')).toBe(1)
  await away
  const event = told(deskChannel, 'BalanceTopup')
  expect(live.realtime.publish(userChannel(7), 'BalanceTopup', TOPUP)).toBe(1)
  expect(await event).toEqual(TOPUP)
})

test('pusher-js returns by itself after a restart, is authorised anew and told events again', async () => {
  await using before = await startRealtime()
  const live = { realtime: before.realtime }
  await using site = await startSite(live)
  await using front = await startFront(before.port)
  using cleanup = new DisposableStack()
  const pusher = cleanup.adopt(pusherClient({ ...site, port: front.port, token: 'phone-token' }), (p) => p.disconnect())
  const channel = pusher.subscribe('private-user.7')
  await told(channel, 'pusher:subscription_succeeded')
  const returned = told(channel, 'pusher:subscription_succeeded')
  const closed = told(pusher.connection, 'error')
  front.hold()
  await before.realtime.stop()
  expect(await closed).toMatchObject({ data: { code: 4200 } })
  await using after = await startRealtime()
  live.realtime = after.realtime
  front.release(after.port)
  await returned
  const event = told(channel, 'BalanceTopup')
  expect(after.realtime.publish(userChannel(7), 'BalanceTopup', TOPUP)).toBe(1)
  expect(await event).toEqual(TOPUP)
})

async function startFront(firstPort: number) {
  let backend = Promise.withResolvers<number>()
  backend.resolve(firstPort)
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    const forward = (port: number) => {
      const upstream = connect({ host: '127.0.0.1', port })
      upstream.on('error', () => client.destroy())
      client.pipe(upstream).pipe(client)
    }
    backend.promise.then(forward, (error: Error) => client.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    hold() {
      backend = Promise.withResolvers()
    },
    release: (port: number) => backend.resolve(port),
    [Symbol.asyncDispose]: async () => {
      server.close()
    },
  }
}

test('Echo listens by the bare name of an event, and is refused another user’s channel', async () => {
  await using live = await startRealtime()
  await using site = await startSite(live)
  using cleanup = new DisposableStack()
  const options = {
    broadcaster: 'reverb',
    // The cast is needed: Echo expects pusher-js as its types describe it, not as it is.
    Pusher: Pusher as unknown as typeof import('pusher-js'),
    key: 'ringpost',
    wsHost: '127.0.0.1',
    wsPort: live.port,
    forceTLS: false,
    enabledTransports: ['ws'],
    authEndpoint: `${site.url}/broadcasting/auth`,
    bearerToken: 'phone-token',
  } satisfies ConstructorParameters<typeof Echo<'reverb'>>[0]
  const echo = cleanup.adopt(new Echo<'reverb'>(options), (client) => client.disconnect())
  const own = echo.private('user.7')
  await new Promise<void>((resolve) => own.subscribed(resolve))
  const heard = new Promise((resolve) => own.listen('.BalanceTopup', resolve))
  live.realtime.publish(userChannel(7), 'BalanceTopup', TOPUP)
  expect(await heard).toEqual(TOPUP)
  const refused = await new Promise((resolve) => echo.private('user.8').error(resolve))
  expect(refused).toMatchObject({ type: 'AuthError', status: 403 })
})

const DOCUMENT = new URL('../../../docs/api/realtime.md', import.meta.url)

test.each([
  ['pusher-js', 0],
  ['Laravel Echo', 1],
])('the example for %s in the documentation works', async (_name, index) => {
  await using live = await startRealtime()
  await using site = await startSite(live)
  using cleanup = new DisposableStack()
  const examples = [...(await readFile(DOCUMENT, 'utf8')).matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code ?? '')
  expect(examples).toHaveLength(2)
  const lines: unknown[][] = []
  let printed = Promise.withResolvers<void>()
  const log = (...line: unknown[]) => {
    lines.push(line)
    printed.resolve()
  }
  class TrackedPusher extends Pusher {
    constructor(...options: ConstructorParameters<typeof Pusher>) {
      super(...options)
      cleanup.defer(() => this.disconnect())
    }
  }
  await runExample(examples[index] ?? '', { url: site.url, port: live.port, Pusher: TrackedPusher, log })
  await printed.promise
  expect(lines).toEqual([['listening']])
  printed = Promise.withResolvers()
  const message = { id: 1, sender: 'Telegram', text: 'Code 12345', code: '12345', received_at: '2026-01-01T00:00:00Z' }
  const code = { kind: 'activation' as const, record: recordOf(message), message, names: LIVE_NAMES }
  live.realtime.publish(userChannel(7), 'NewCode', code)
  await printed.promise
  expect(lines).toEqual([['listening'], ['79000000001', '12345']])
})

type Surroundings = { url: string; port: number; Pusher: typeof Pusher; log: (...line: unknown[]) => void }

async function runExample(code: string, { url, port, Pusher, log }: Surroundings): Promise<void> {
  const here = code
    .replaceAll(/^import .*$/gm, '')
    .replaceAll('https://ringpost.example', url)
    .replaceAll('6001', String(port))
    .replaceAll('forceTLS: true', 'forceTLS: false')
  const AsyncFunction = (async () => undefined).constructor
  const run = Reflect.construct(AsyncFunction, ['Pusher', 'Echo', 'process', 'console', here])
  await run(Pusher, Echo, { env: { RINGPOST_TOKEN: 'phone-token' } }, { log })
}

function recordOf(message: MessageRecord) {
  const { code } = message
  return activationRecord({ state: 'received', money: 'captured', phone: '79000000001', code, messages: [message] })
}
