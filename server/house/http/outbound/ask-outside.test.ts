import { once } from 'node:events'
import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { expect, test } from 'vitest'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { askOutside, OutsideRefused, OutsideUnreached } from './ask-outside.ts'
import { isPublicAddress } from './public-address.ts'

const asked = (url: string) => ({ method: 'POST' as const, url, headers: {}, body: Buffer.from('x') })
const NONE = { privateHosts: [] }

test('only addresses that belong to hosts of the internet are public', () => {
  const closed = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '239.1.1.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '',
    'localhost',
    '8.8.8.8.8',
    '0x7f.0.0.1',
  ]
  expect(closed.filter(isPublicAddress)).toEqual([])
  const open = ['8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e']
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([])
})

test('an address is refused by how it is written, and by what DNS says of it', async () => {
  for (const url of [
    'http://example.org/',
    'ftp://example.org/',
    'https://anna:secret@example.org/',
    'nothing',
    '//example.org',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://example.org:444/',
    'https://8.8.8.8:22/',
    'https://169.254.169.254/latest/meta-data',
    `https://example.org/${'x'.repeat(2_000)}`,
  ]) {
    await expect(askOutside(asked(url), NONE), url).rejects.toThrow(OutsideRefused)
  }
  const found = (...addresses: string[]) => ({
    ...NONE,
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })
  for (const addresses of [['10.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['2606:4700::1111', '::1'], ['::ffff:127.0.0.1']]) {
    const answer = askOutside(asked('https://rebinding.example/'), found(...addresses))
    await expect(answer, addresses.join()).rejects.toThrow(OutsideRefused)
  }
  await expect(askOutside(asked('https://nowhere.example/'), found())).rejects.toThrow('no address')
})

test('a named host may be near; the connection goes to the address that was looked at, and asks DNS once', async () => {
  const seen: (string | undefined)[] = []
  await using server = await listenOnLoopback((request, response) => {
    seen.push(request.headers.host)
    response.statusCode = request.url === '/moved' ? 302 : 201
    response.setHeader('location', '/elsewhere')
    response.end('x'.repeat(100_000))
  })
  const { port } = new URL(server.url)
  let asks = 0
  const rules = {
    privateHosts: ['hooks.example'],
    resolve: async () => {
      asks += 1
      return [{ address: '127.0.0.1', family: 4 }]
    },
  }
  const answer = await askOutside(asked(`http://hooks.example:${port}/`), rules)
  expect([answer.status, answer.body.length]).toEqual([201, 65_536])
  expect((await askOutside(asked(`http://hooks.example:${port}/moved`), rules)).status).toBe(302)
  expect([seen, asks]).toEqual([[`hooks.example:${port}`, `hooks.example:${port}`], 2])
})

test('a host that says nothing is given up', async () => {
  await using stack = new AsyncDisposableStack()
  const silent = createTcpServer((socket) =>
    stack.defer(() => {
      socket.destroy()
    }),
  )
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  stack.defer(() => {
    silent.close()
  })
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const rules = { privateHosts: ['127.0.0.1'], timeLimitMs: 50 }
  await expect(askOutside(asked(`http://127.0.0.1:${port}/`), rules)).rejects.toThrow('no answer within')
  const lost = { privateHosts: [], timeLimitMs: 50, resolve: () => new Promise<never>(() => undefined) }
  await expect(askOutside(asked('https://slow-dns.example/'), lost)).rejects.toThrow('no answer within')
})

test('whether a request was sent is known: nobody listens, or the host hangs up on it; and how much is read, is said', async () => {
  const near = { privateHosts: ['127.0.0.1'] }
  const { url } = await listenOnLoopback(() => undefined).then(async (server) => {
    await server[Symbol.asyncDispose]()
    return server
  })
  await expect(askOutside(asked(url), near)).rejects.toThrow(OutsideUnreached)
  await using server = await listenOnLoopback((request, response) => {
    if (request.url === '/cut') return response.destroy()
    response.setHeader('etag', '"one"')
    return response.end('x'.repeat(100_000))
  })
  const cut = askOutside(asked(`${server.url}/cut`), near)
  await expect(cut).rejects.not.toThrow(OutsideUnreached)
  const whole = await askOutside(asked(server.url), { ...near, mostBytes: 200_000 })
  expect([whole.body.length, whole.headers.etag]).toEqual([100_000, '"one"'])
  const over = AbortSignal.abort(new Error('too late'))
  await expect(askOutside(asked(server.url), { ...near, signal: over })).rejects.toThrow(OutsideUnreached)
})

test('a kept connection is used again, looked at once, and replaced when its host has closed it', async () => {
  await using stack = new AsyncDisposableStack()
  const kept = { plain: new Agent({ keepAlive: true }), tls: new TlsAgent({ keepAlive: true }) }
  stack.defer(() => kept.plain.destroy())
  const ports: (number | undefined)[] = []
  await using server = await listenOnLoopback((request, response) => {
    ports.push(request.socket.remotePort)
    response.end('ok')
    if (request.url === '/last') response.once('finish', () => request.socket.destroy())
  })
  const { port } = new URL(server.url)
  let asks = 0
  const rules = {
    privateHosts: ['hooks.example'],
    kept,
    resolve: async () => {
      asks += 1
      return [{ address: '127.0.0.1', family: 4 }]
    },
  }
  for (const path of ['', '', 'last', 'after']) {
    expect((await askOutside(asked(`http://hooks.example:${port}/${path}`), rules)).status).toBe(200)
  }
  expect([new Set(ports.slice(0, 3)).size, new Set(ports).size, asks]).toEqual([1, 2, 2])
  const closed = { privateHosts: [], kept, resolve: async () => [{ address: '10.0.0.1', family: 4 }] }
  await expect(askOutside(asked('https://rebinding.example/'), closed)).rejects.toThrow(OutsideRefused)
  await expect(askOutside(asked('https://10.0.0.1/'), { ...closed })).rejects.toThrow(OutsideRefused)
  const nobody = { ...closed, resolve: async () => [] }
  await expect(askOutside(asked('https://nowhere.example/'), nobody)).rejects.toThrow(OutsideUnreached)
})
