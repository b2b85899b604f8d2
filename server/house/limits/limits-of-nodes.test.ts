import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { send } from '#test/harness/calls.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'
import { askInTurn, becomesUp, redisProgram, startThreeNodes } from '#test/services/three-nodes.ts'
import { createGuessLimit } from './guess-limit.ts'
import { createRateLimit } from './rate-limit.ts'

const LIST = '/api/services?country_id=2&load=all'

const isRefused = (status: number) => status === 429

/** Guesses a mailed code, of which a network has ten for an account. */
const guessCode =
  (email = 'anna@example.test') =>
  async (t: TestApp): Promise<boolean> => {
    const guess = { email, code: '123456', password: 'a long password' }
    return isRefused((await send(t, 'POST /api/verify-email', guess)).response.status)
  }

test.runIf(redisProgram)(
  'a limit of ten is ten over three nodes, also at once and by a clock an hour ahead',
  async () => {
    await using shop = await startThreeNodes()
    const { nodes } = shop
    const [first, second, third] = nodes
    third.clock.advance(HOUR)
    const inTurn = await askInTurn(nodes, 12, guessCode())
    expect(inTurn).toEqual([...Array(10).fill(false), true, true])
    const atOnce = await Promise.all(
      Array.from({ length: 15 }, (_, turn) => guessCode('boris@example.test')(turn % 2 === 0 ? first : second)),
    )
    expect(atOnce.filter((isRefused) => !isRefused)).toHaveLength(10)
    second.clock.advance(HOUR)
    expect(await guessCode()(second)).toBe(true)
  },
)

test.runIf(redisProgram)(
  'wrong passwords of an account count over two nodes, and a right one forgives on all',
  async () => {
    await using shop = await startThreeNodes()
    const {
      nodes: [first, second],
    } = shop
    const users = new Map<TestApp, TestUser>([
      [first, await first.makeUser()],
      [second, await second.makeUser()],
    ])
    const confirm = async (t: TestApp, password?: string) => {
      const user = users.get(t)
      const input = { password: password ?? user?.password ?? '' }
      const { response } = await send(t, 'POST /api/v1/user/confirm-password', input, { token: user?.token ?? '' })
      return response.status
    }
    const wrong = await askInTurn([first, second], 4, (t) => confirm(t, 'wrong'))
    expect(wrong).toEqual([422, 422, 422, 422])
    expect(await confirm(second)).toBe(200)
    const many = await Promise.all(
      Array.from({ length: 16 }, (_, turn) => confirm(turn % 2 === 0 ? first : second, 'wrong')),
    )
    expect(many.filter((status) => status === 422)).toHaveLength(5)
    expect(many.filter((status) => status === 429)).toHaveLength(11)
    expect(await askInTurn([first, second], 2, (t) => confirm(t))).toEqual([429, 429])
  },
)

test.runIf(redisProgram)('the wait for another guess ends, and doubles', async () => {
  await using shop = await startThreeNodes()
  const {
    nodes: [{ ctx: first }, { ctx: second }],
  } = shop
  const limit = createGuessLimit({ name: 'guesses of a test', free: 2, firstWaitMs: SECOND, maxWaitMs: MINUTE })
  const isTold = (ctx: typeof first) =>
    limit.spend(ctx, 'anna').then(
      () => true,
      () => false,
    )
  expect([await isTold(first), await isTold(second), await isTold(first)]).toEqual([true, true, false])
  for (let guess = 0; guess < 2; guess += 1)
    await expect.poll(() => isTold(second), { timeout: 10 * SECOND }).toBe(true)
  expect([await isTold(first), await isTold(second)]).toEqual([false, false])
  await limit.forgive(second, 'anna')
  expect(await isTold(first)).toBe(true)
})

test.runIf(redisProgram)('tokens come back with time and when given back, and Redis keeps nothing of it', async () => {
  await using shop = await startThreeNodes()
  const {
    redis,
    nodes: [{ ctx: first }, { ctx: second }],
  } = shop
  const slow = createRateLimit({ name: 'slow things of a test', burst: 3, refillMs: HOUR })
  expect(await slow.take(first, 'anna', 2)).toMatchObject({ isTaken: true, remaining: 2 })
  expect(await slow.take(second, 'anna', 2)).toMatchObject({ isTaken: false, remaining: 2 })
  expect(await slow.take(second, 'anna')).toMatchObject({ isTaken: true, limit: 3, remaining: 1 })
  await slow.giveBack(first, 'anna')
  await slow.giveBack(second, 'anna')
  await slow.giveBack(second, 'anna')
  expect(await redis.ask('DBSIZE')).toBe('0\n')
  expect(await slow.take(first, 'anna')).toMatchObject({ isTaken: true, remaining: 2 })
  await redis.ask('FLUSHALL')
  const quick = createRateLimit({ name: 'quick things of a test', burst: 2, refillMs: SECOND })
  const takes = [await quick.take(first, 'anna'), await quick.take(second, 'anna'), await quick.take(first, 'anna')]
  expect(takes.map(({ isTaken }) => isTaken)).toEqual([true, true, false])
  expect(takes[2]?.waitMs).toBeLessThanOrEqual(SECOND)
  await expect.poll(async () => (await quick.take(second, 'anna')).isTaken, { timeout: 5 * SECOND }).toBe(true)
  await expect.poll(() => redis.ask('DBSIZE'), { timeout: 5 * SECOND }).toBe('0\n')
})

test.runIf(redisProgram)(
  'while Redis is away each node goes on with its share; afterwards they count together',
  async () => {
    await using shop = await startThreeNodes()
    const { redis, nodes } = shop
    expect(await guessCode()(nodes[0])).toBe(false)
    await redis.kill()
    const alone = await askInTurn(nodes, 15, guessCode())
    expect(alone).toEqual([...Array(9).fill(false), ...Array(6).fill(true)])
    await redis.start()
    for (const node of nodes) await becomesUp(node)
    const together = await askInTurn(nodes, 12, guessCode())
    expect(together).toEqual([...Array(10).fill(false), true, true])
  },
)

test.runIf(redisProgram)('while Redis is away three nodes allow no more wrong passwords than one', async () => {
  await using shop = await startThreeNodes()
  const { redis, nodes } = shop
  await redis.kill()
  const limit = createGuessLimit({ name: 'shared guesses of a test', free: 6, firstWaitMs: SECOND, maxWaitMs: MINUTE })
  const allowed = await askInTurn(nodes, 12, ({ ctx }) =>
    limit.spend(ctx, 'anna').then(
      () => 1,
      () => 0,
    ),
  )
  expect(allowed).toEqual([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
  const again = () => limit.spend(nodes[0].ctx, 'anna')
  nodes[0].clock.advance(2_999)
  await expect(again()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  nodes[0].clock.advance(1)
  await again()
})

test.runIf(redisProgram)('answers in front count at all nodes, and a client that hangs up harms nobody', async () => {
  await using shop = await startThreeNodes({ config: { apiRequestsPerSecond: 5 } })
  const { redis, nodes } = shop
  const [first, second] = nodes
  const ask = async (t: TestApp) => (await t.fetch(LIST)).status
  expect([await ask(first), await ask(second)]).toEqual([200, 200])
  const begunAt = performance.now()
  const statuses = await Promise.all(Array.from({ length: 60 }, (_, turn) => ask(turn % 2 === 0 ? first : second)))
  const refilled = Math.ceil((performance.now() - begunAt) / 200)
  const answered = statuses.filter((status) => status === 200).length
  expect([answered >= 8, answered <= 10 + refilled]).toEqual([true, true])
  expect(first.ctx.metrics.cachedReplies.count + second.ctx.metrics.cachedReplies.count).toBeGreaterThan(0)
  redis.freeze()
  const socket = connect(Number(new URL(first.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${LIST} HTTP/1.1\r\nHost: a\r\n\r\n`)
  socket.resetAndDestroy()
  first.clock.advance(MINUTE)
  expect(await ask(first)).toBe(200)
  redis.thaw()
  await becomesUp(first)
  await expect.poll(() => ask(first)).toBe(200)
  expect(first.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test.runIf(redisProgram)('polls and lists of programs are answered, counted at all nodes, until too many', async () => {
  await using shop = await startThreeNodes({ config: { apiRequestsPerSecond: 5 } })
  const { redis, nodes } = shop
  const keys = new Map<TestApp, string>()
  for (const t of nodes) keys.set(t, await t.makeApiKey(await t.makeUser()))
  const ask = (action: string) => async (t: TestApp) =>
    (await t.fetch(`/stubs/handler_api.php?api_key=${keys.get(t)}&action=${action}`)).text()
  const shown = { getBalance: 'ACCESS_BALANCE:100', getCountries: 'Russia' }
  for (const [action, word] of Object.entries(shown)) {
    await redis.ask('FLUSHALL')
    const begunAt = performance.now()
    const answers = await askInTurn(nodes, 42, ask(action))
    const refilled = Math.ceil((performance.now() - begunAt) / 200)
    const answered = answers.filter((answer) => answer.includes(word)).length
    expect([action, answered >= 5, answered <= 5 + refilled]).toEqual([action, true, true])
  }
})
