import { expect } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { processStoredRequests } from '#server/core/numbers/intake/process-request.ts'
import { takeRequest } from '#server/core/numbers/intake/take-request.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Intake, Piece } from '#server/core/suppliers/supplier.ts'
import { defineWalks } from './define-walks.ts'
import { bought, codeFor, type Message, type Order } from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import type { World } from './world.ts'

const KEY = 'k'.repeat(32)

const intake: Intake = {
  key: KEY,
  answer: { type: 'text/plain', text: '' },
  verify: ({ body }) => ({ genuine: true, once: body.toString() }),
  read: async ({ body }) => ({ outcome: 'messages', messages: [JSON.parse(body.toString()) as Message] }),
}

type Posted = Order & { message: Message & { piece?: Piece } }

async function posted(world: World): Promise<Posted> {
  for (const supplier of world.suppliers) Object.assign(supplier, { intake })
  const order = await bought(world)
  return { ...order, message: codeFor(order) }
}

function post({ life: { ctx } }: World, { message }: Posted) {
  const code = suppliersOf(ctx).get(message.supplierId)?.code ?? ''
  const { supplierId: _, ...words } = message
  const body = Buffer.from(JSON.stringify(words))
  const from = { address: '127.0.0.1', network: '127.0.0.1', receivedAt: ctx.clock.now() }
  return takeRequest(ctx, { code, key: KEY, method: 'POST', url: 'http://ringpost.test/', headers: {}, body, ...from })
}

async function isTaken({ t }: World, { message }: Posted): Promise<void> {
  const { rows } = await t.ctx.db.query<{ given: string }>({
    name: 'walk-posted',
    text: 'SELECT given FROM messages WHERE supplier_id = $1 AND supplier_message_id = $2',
    values: [message.supplierId, message.messageId],
  })
  expect(rows).toEqual([{ given: 'named' }])
  const left = await t.ctx.db.query({
    name: 'walk-unread',
    text: `SELECT FROM intake_requests WHERE state <> 'processed'`,
  })
  expect(left.rows).toEqual([])
}

/** Stores a request unread, as if the process had died before it read the request's message. */
async function stored(world: World): Promise<Posted> {
  const given = await posted(world)
  const { background } = world.life.ctx
  const { run } = background
  background.run = () => undefined
  await post(world, given)
  background.run = run
  world.t.clock.advance(MINUTE)
  return given
}

async function halfPosted(world: World): Promise<Posted> {
  const given = await posted(world)
  await post(world, { ...given, message: { ...given.message, piece: { isFull: true, numbered: null } } })
  await world.life.ctx.background.idle()
  return given
}

function postRest(world: World, given: Posted) {
  const { message } = given
  const rest = {
    messageId: `${message.messageId}-rest`,
    text: ' and the rest',
    piece: { isFull: false, numbered: null },
  }
  return post(world, { ...given, message: { ...message, ...rest } })
}

async function isJoined(world: World, given: Posted): Promise<void> {
  await isTaken(world, given)
  const { rows } = await world.t.ctx.db.query<{ body: string }>({
    name: 'walk-joined',
    text: 'SELECT body FROM messages WHERE phone = $1',
    values: [given.phone],
  })
  expect(rows).toEqual([{ body: `${given.message.text} and the rest` }])
}

const intakeWalks = [
  {
    name: 'a request that brings a message',
    given: posted,
    act: (world: World, given: Posted) => attempt(world, () => post(world, given)),
    after: isTaken,
  },
  {
    name: 'a request that was stored and not read',
    given: stored,
    act: (world: World) => attempt(world, () => processStoredRequests(world.life.ctx)),
    after: isTaken,
  },
  {
    name: 'the second part of a message',
    given: halfPosted,
    act: (world: World, given: Posted) => attempt(world, () => postRest(world, given)),
    after: isJoined,
  },
] as readonly Walk[]

defineWalks({
  walks: intakeWalks,
  statements: ['core/numbers/intake/queries'],
  elsewhere: {
    'core/numbers/intake/queries/requests.ts insertRefusedRequest intake-request-refused':
      'a trace, which nothing reads',
  },
})
