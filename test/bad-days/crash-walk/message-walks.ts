import { expect } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { handOverLeft } from '#server/core/numbers/delivery/hand-over.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { readCommandConfig } from '#server/house/config/config.ts'
import { attachMessageByHand } from '#server/programs/cli/messages/message-attach.ts'
import {
  type Buyer,
  bought,
  buy,
  codeFor,
  leftBy,
  type Message,
  newBuyer,
  type Order,
  press,
  rent,
  rented,
} from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import type { Answer, World } from './world.ts'

const NOTICE = 'New sign-in to Telegram from Chrome on Windows'

type Sent = { userIds: number[]; message: Message }

/** Makes the service receive a message, which the fake supplier sends again until it is acknowledged. */
const receive = (world: World, { message }: { message: Message }) =>
  attempt(world, () => receiveSms(world.life.ctx, message))

const isStored =
  (...ways: string[]) =>
  async ({ t }: World, { message }: { message: Message }) => {
    const { rows } = await t.ctx.db.query<{ given: string }>({
      name: 'walk-message',
      text: 'SELECT given FROM messages WHERE supplier_id = $1 AND phone = $2 AND body = $3',
      values: [message.supplierId, message.phone, message.text],
    })
    expect(rows).toHaveLength(1)
    expect(ways).toContain(rows[0]?.given)
  }

async function sentTo(
  order: Promise<Order>,
  changes: (order: Order) => Partial<Message> = () => ({}),
): Promise<Order & Sent> {
  const found = await order
  return { ...found, message: codeFor(found, changes(found)) }
}

const opening: Walk<Order & Sent>[] = [
  {
    name: 'a notice that is opened',
    async given(world) {
      const order = await sentTo(bought(world), () => ({ text: NOTICE }))
      await receive(world, order)
      return order
    },
    act: (world, order) => press(world, order, 'activations/{id}/open'),
    after: isStored('opened'),
  },
]

const intake: Walk<Sent>[] = [
  {
    name: 'a message for the only holder',
    given: (world) => sentTo(bought(world)),
    act: receive,
    after: isStored('named'),
  },
  {
    name: 'a message for nobody',
    async given(world) {
      const order = await bought(world)
      return {
        userIds: order.userIds,
        message: codeFor({ ...order, phone: `7999${String(order.id).padStart(7, '0')}` }),
      }
    },
    act: receive,
    after: isStored('unmatched'),
  },
  {
    name: 'a message for a rental',
    given: (world) => sentTo(rented(world)),
    act: receive,
    after: isStored('named'),
  },
  {
    name: 'a message without an id, for a rental',
    async given(world) {
      const from = world.t.clock.now()
      const resentWithin = { from: new Date(from.getTime() - MINUTE), to: new Date(from.getTime() + 10 * MINUTE) }
      return sentTo(rented(world), () => ({ messageId: null, resentWithin }))
    },
    act: receive,
    after: isStored('named'),
  },
  {
    name: 'a message for an activation that has ended',
    async given(world) {
      const order = await bought(world)
      world.t.clock.advance(2 * MINUTE + SECOND)
      await press(world, order, 'activations/{id}/cancel')
      return { ...order, message: codeFor(order) }
    },
    act: receive,
    after: isStored('late'),
  },
  {
    name: 'a notice of the service',
    given: (world) => sentTo(bought(world), () => ({ text: NOTICE })),
    act: receive,
    after: isStored('notice'),
  },
  {
    name: 'the notice of a mobile operator',
    given: (world) => sentTo(bought(world), () => ({ sender: 'Beeline' })),
    act: receive,
    after: isStored('operator'),
  },
  {
    name: 'a message that its supplier ties to an activation',
    given: (world) => sentTo(bought(world), ({ id }) => ({ reference: `${id}-1` })),
    act: receive,
    after: isStored('reference'),
  },
  {
    name: 'a message that its supplier ties to a rental',
    given: (world) => sentTo(rented(world), ({ id }) => ({ reference: `r${id}-1` })),
    act: receive,
    after: isStored('reference'),
  },
]

type Early = Buyer & { messages: Message[] }

/** Makes the supplier send a code before it answers the purchase, and again until it is acknowledged. */
function sendEarly(world: World, buyer: Buyer, kind: 'activation' | 'rental'): Early {
  const [first] = world.suppliers
  const early: Early = { ...buyer, messages: [] }
  const push = async (phone: string) => {
    early.messages.push(codeFor({ phone, supplierId: first.id }))
    await resend(world, early)
  }
  if (kind === 'activation') {
    first.onBuy = async (order) => {
      const number = first.sell(order)
      await push(number.phone)
      return number
    }
  } else {
    first.rent.onRent = async (order) => {
      const number = first.rent.give(order)
      await push(number.phone)
      return number
    }
  }
  return early
}

async function resend(world: World, { messages }: Early): Promise<void> {
  for (const message of messages) {
    const answer = await receive(world, { message })
    if (answer?.status !== 200) await receive(world, { message })
  }
}

/** Expects that the buyer gets the early message, unless the number was given back. */
const handedOver = async (world: World, given: Early) => {
  await resend(world, given)
  const { rows } = await world.t.ctx.db.query<{ phone: string }>({
    name: 'walk-phones',
    text: `SELECT phone FROM activations WHERE user_id = $1 UNION SELECT phone FROM rentals WHERE user_id = $1`,
    values: [given.client.id],
  })
  const phones = new Set(rows.map(({ phone }) => phone))
  for (const message of given.messages) {
    await isStored(phones.has(message.phone) ? 'named' : 'unmatched')(world, { message })
  }
}

const early: Walk<Early>[] = [
  {
    name: 'a message that is faster than the purchase of its number',
    given: async (world) => sendEarly(world, await newBuyer(world), 'activation'),
    act: buy,
    keyed: true,
    refusals: ['NO_NUMBERS'],
    after: handedOver,
  },
  {
    name: 'a message that is faster than the rental of its number',
    given: async (world) => sendEarly(world, await newBuyer(world), 'rental'),
    act: rent,
    keyed: true,
    refusals: ['NO_NUMBERS'],
    after: handedOver,
  },
  {
    name: 'a start that finds a message which was not handed over',
    async given(world) {
      const given = sendEarly(world, await newBuyer(world), 'activation')
      await leftBy(world, { at: 'message-list-unmatched', fault: 'killed before it', verb: () => buy(world, given) })
      return given
    },
    act: (world) =>
      attempt(world, () => handOverLeft(world.life.ctx, { since: new Date(world.t.clock.now().getTime() - MINUTE) })),
    after: handedOver,
  },
]

type Attached = Order & Sent & { kind: 'activation' | 'rental' }

async function unmatched(world: World, kind: Attached['kind']): Promise<Attached> {
  const order = kind === 'rental' ? await rented(world) : await bought(world)
  // Nobody gets the message, because its supplier reference belongs to no order.
  const given = {
    ...order,
    kind,
    message: codeFor(order, kind === 'rental' ? { reference: 'r0-1' } : { reference: '0-1' }),
  }
  await receiveSms(world.life.ctx, given.message)
  return given
}

/** Attaches a message to an order as staff's command does: in one transaction with an audit log row. */
async function attach(world: World, { id, kind, message }: Attached): Promise<Answer | null> {
  const { rows } = await world.t.ctx.db.query<{ id: bigint }>({
    name: 'walk-message-id',
    text: 'SELECT id FROM messages WHERE supplier_message_id = $1 AND supplier_id = $2',
    values: [message.messageId, message.supplierId],
  })
  const { clock, random, log, db: pool } = world.life.ctx
  const { secretKey, previousSecretKeys } = world.life.ctx.secrets
  const config = readCommandConfig({ DEMO: '1' })
  const silent = { tell: () => undefined, remark: () => undefined }
  const cli = { config, secretKey, previousSecretKeys, clock, random, log, pool, dryRun: false, ...silent }
  const values = [`${rows[0]?.id}`, kind === 'rental' ? `rental:${id}` : `${id}`]
  const given = { values, options: { by: 'walker', reason: 'it is his' }, switches: new Set<string>() }
  return attempt(world, () =>
    attachMessageByHand.database === 'none'
      ? Promise.reject(new Error('no database'))
      : attachMessageByHand.run(cli, given),
  )
}

const byHand: Walk<Attached>[] = (['activation', 'rental'] as const).map((kind) => ({
  name: `a message attached by hand to ${kind === 'rental' ? 'a rental' : 'an activation'}`,
  given: (world) => unmatched(world, kind),
  act: attach,
  // Repeated commands are refused, because the message is attached.
  refusals: ['REFUSED'],
  after: isStored('by-hand'),
}))

export const messageWalks = [...intake, ...opening, ...early, ...byHand] as readonly Walk[]
