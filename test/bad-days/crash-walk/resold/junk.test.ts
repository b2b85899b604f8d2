import { expect } from 'vitest'
import { type Account, createAccount } from '#server/adapters/handler-api/buy/account.ts'
import { endNumber } from '#server/adapters/handler-api/buy/end.ts'
import { pollOpen } from '#server/adapters/handler-api/buy/poll-open.ts'
import { resoldOrders } from '#server/adapters/shared/resold/queries/orders.ts'
import { resumeOrders } from '#server/adapters/shared/resold/resume-orders.ts'
import { defineWalks } from '../define-walks.ts'
import { bought, type Order } from '../orders.ts'
import { attempt, type Walk } from '../walk.ts'
import type { World } from '../world.ts'

/** The remote service counts this text as a delivered message, so the number cannot be given back. */
const ADVERT = 'Win a prize today, call us now'
const ANSWERS: Readonly<Record<string, string>> = { '8': 'OTP_RECEIVED', '6': 'ACCESS_ACTIVATION' }

const ask: Account['ask'] = async ({ action, parameters = {} }) => {
  const text = action === 'getStatus' ? `STATUS_OK:${ADVERT}` : (ANSWERS[parameters.status ?? ''] ?? 'BAD_ACTION')
  const [word = '', rest = ''] = text.split(':')
  return { status: 200, text, word, rest, json: undefined, etag: null, price: undefined, unchanged: false }
}

/** Returns the supplier's account as a newly started process builds it. */
async function accountOf({ life: { ctx } }: World, { supplierId }: Order): Promise<Account> {
  const settings = { url: 'http://127.0.0.1/x', key: 'k', dialect: 'smsbower', currency: 'rub', privateHost: true }
  const row = { id: supplierId, code: 'field', kind: 'handler-api', settings }
  const account: Account = { ...createAccount(ctx, row), ask }
  await resumeOrders(account, { isStart: true })
  return account
}

const referenceOf = ({ id }: Order) => `${id}-1`

async function resold(world: World): Promise<Order> {
  const order = await bought(world)
  const { supplierId, phone } = order
  const { db, clock } = world.t.ctx
  const key = { supplierId, reference: referenceOf(order) }
  const wanted = { service: 'tg', country: '2', operator: null, costMicros: 12_500_000n, now: clock.now() }
  await resoldOrders.insert(db, { ...key, ...wanted, state: 'asking' })
  const sold = { phone, costMicros: 12_500_000n, expiresAt: null }
  await resoldOrders.markOpen(db, { ...key, theirId: referenceOf(order), ...sold })
  return order
}

const look = (world: World, order: Order) =>
  attempt(world, async () => pollOpen(await accountOf(world, order), new AbortController().signal))

async function endsIn(world: World, order: Order, isLoss: boolean): Promise<void> {
  const { rows } = await world.t.ctx.db.query({
    name: 'walk-junk',
    text: `SELECT a.state, a.money, r.state AS there, r.is_loss, (SELECT count(*)::integer FROM messages m
        WHERE m.supplier_id = r.supplier_id AND m.reference = r.reference) AS messages
      FROM activations a JOIN resold_orders r ON r.reference = a.id || '-' || a.attempt WHERE a.id = $1`,
    values: [order.id],
  })
  const there = isLoss ? 'ended' : 'open'
  expect(rows).toEqual([{ state: 'used', money: 'released', there, is_loss: isLoss, messages: 1 }])
}

const walks: Walk<Order>[] = [
  {
    name: 'a look that finds an advert',
    given: resold,
    act: look,
    after: (world, order) => endsIn(world, order, false),
  },
  {
    name: 'the end of an order whose advert the other has charged',
    async given(world) {
      const order = await resold(world)
      await look(world, order)
      return order
    },
    act: (world, order) =>
      attempt(world, async () => {
        const { phone } = order
        const number = {
          reference: referenceOf(order),
          supplierReference: referenceOf(order),
          phone,
          serviceCode: 'tg',
        }
        await endNumber(await accountOf(world, order), number, 'cancelled', new AbortController().signal)
      }),
    after: (world, order) => endsIn(world, order, true),
  },
]

defineWalks({ walks: walks as readonly Walk[], statements: [] })
