import { expect, test } from 'vitest'
import { z } from 'zod'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { createRpcNode } from './rpc-node.ts'

type Question = { id: number; method: string; params: [number] }
type Answer = { status?: number; body: unknown }

async function openNode(stack: AsyncDisposableStack, answer: (asked: Question | Question[]) => Answer) {
  const sizes: number[] = []
  const { url } = stack.use(
    await listenOnLoopback((request, reply) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const asked = JSON.parse(Buffer.concat(parts).toString()) as Question | Question[]
        sizes.push(Array.isArray(asked) ? asked.length : 1)
        const { status = 200, body } = answer(asked)
        reply.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
      })
    }),
  )
  const node = createRpcNode(1, { url, headers: {}, timeoutMs: 10_000 })
  const { signal } = new AbortController()
  const ask = (value: number) => node.ask('double', [value], z.number(), signal)
  return {
    ask,
    askMany: (count: number) => Promise.allSettled(Array.from({ length: count }, (_, at) => ask(at))),
    sizes,
  }
}

const double = ({ id, params }: Question) => ({ jsonrpc: '2.0', id, result: params[0] * 2 })
const doubled = (count: number) => Array.from({ length: count }, (_, at) => ({ status: 'fulfilled', value: at * 2 }))

test('what is asked side by side goes out in lists of eight, and each has its own answer in whatever order', async () => {
  await using stack = new AsyncDisposableStack()
  const { ask, askMany, sizes } = await openNode(stack, (asked) => ({
    body: Array.isArray(asked) ? asked.map(double).reverse() : double(asked),
  }))
  expect(await askMany(17)).toEqual(doubled(17))
  expect(sizes).toEqual(expect.arrayContaining([8, 8, 1]))
  expect(await ask(21)).toBe(42)
})

test.each<[string, Answer]>([
  ['an error', { body: { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'no lists' } } }],
  ['413', { status: 413, body: 'too large' }],
])('a node that refuses a list with %s is asked singly from then on', async (_what, refusal) => {
  await using stack = new AsyncDisposableStack()
  const { askMany, sizes } = await openNode(stack, (asked) =>
    Array.isArray(asked) ? refusal : { body: double(asked) },
  )
  expect(await askMany(4)).toEqual(doubled(4))
  expect(await askMany(4)).toEqual(doubled(4))
  expect(sizes.toSorted((one, other) => other - one)).toEqual([4, ...new Array<number>(8).fill(1)])
})

test('a page, a busy door and a missing answer fail only what they were asked, and lists go on', async () => {
  await using stack = new AsyncDisposableStack()
  const troubles: Answer[] = [{ body: '<html>busy</html>' }, { status: 429, body: 'later' }]
  const { askMany, sizes } = await openNode(stack, (asked) => {
    const trouble = troubles.shift()
    if (trouble !== undefined) return trouble
    return { body: [asked].flat().slice(1).map(double) }
  })
  for (const words of [/no JSON-RPC to double/, /429 to double/]) {
    const failed = await askMany(3)
    expect(failed.map((one) => one.status === 'rejected' && words.test(String(one.reason)))).toEqual([true, true, true])
  }
  expect((await askMany(3)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(sizes).toEqual([3, 3, 3])
})
