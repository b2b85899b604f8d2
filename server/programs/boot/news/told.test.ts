import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { pairKey } from '#server/core/catalog/offers/offers-by-pair.ts'
import { loadRouteRules } from '#server/core/catalog/routing/load-routes.ts'
import { setAside } from '#server/core/catalog/standing/change-standing.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { followHealth, followOutcomes } from '#server/programs/boot/start-loops.ts'
import { addSupplier } from '#server/programs/boot/start-suppliers.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { begin } from '#test/builders/payments.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { listen } from '#test/harness/live-listener.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { startNodes } from '#test/services/nodes.ts'

const program = requireProgram('redis-server')

test.runIf(program)(
  'rentals, pre-orders, payments and notifications are told to the pages of other nodes',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b } = nodes
    const supplier = await addRenting(a, 'renting')
    const gateway = await addFakeGateway(a)
    const user = await a.makeUser({ balance: '500.00' })
    using page = await listen(b, user)
    const rental = await rentOne(a, user)
    expect(await page.next('RentalChanged')).toMatchObject({ record: { id: rental.id }, balance: '370.00' })
    await pushSms(a, supplier, { phone: rental.phone, messageId: '1' })
    expect(await page.next('NewCode')).toMatchObject({ kind: 'rental', record: { id: rental.id } })
    const wish = { service_id: 'tg', country_id: 2, max_price: '1.00', hours: 24 }
    const { data } = await call(a, 'POST /api/v1/preorders', wish, user)
    expect(await page.next('PreorderChanged')).toMatchObject({ record: { id: data.id }, balance: '369.00' })

    const payment = await begin(a, user)
    gateway.facts.set(payment.transaction_id, arrived(['d1', 50_000]))
    await gateway.send(a, { event: 'e1', transaction: payment.transaction_id })
    expect(await page.next('BalanceTopup')).toEqual({ balance: '869.00', currency: 'rub' })

    await a.runJobs()
    expect(await page.next('NewUserNotification')).toMatchObject({ kind: 'payment-credited', notifications_count: 1 })
  },
)

test.runIf(program)('staff at another node hear of tickets, and who writes in them', async () => {
  await using nodes = await startNodes(program)
  const { a, b } = nodes
  const [buyer, anna] = [await a.makeUser(), await makeStaff(a, 'support', 'anna@example.test')]
  using desk = await listen(b, await makeStaff(a, 'support', 'boris@example.test'))
  const { data } = await call(a, 'POST /api/v1/support/tickets', { category: 'other', subject: 's', text: 'x' }, buyer)
  expect(await desk.next('StaffTicketChanged')).toEqual({ ticketId: data.id })
  await call(a, 'POST /api/v1/staff/tickets/{id}/writing', { id: data.id }, anna)
  expect(await desk.next('StaffWriting')).toMatchObject({ ticketId: data.id, by: { id: anna.id } })
})

test.runIf(program)('a supplier that one node sets aside is set aside at the other', async () => {
  await using nodes = await startNodes(program)
  const { a, b, supplier } = nodes
  await setAside(a.ctx, { supplierId: supplier.id, cause: 'errors', reason: 'it fails' })
  await expect.poll(() => healthBookOf(b.ctx).of(supplier.id).state).toBe('aside')
})

test.runIf(program)(
  'without Redis, too, a node finds the suppliers that another set aside, and the outcomes that it counted',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b, supplier } = nodes
    await nodes.redis.kill()
    nodeOf(b.ctx).leases = new Set()
    await setAside(a.ctx, { supplierId: supplier.id, cause: 'share', reason: 'few codes' })
    await a.ctx.db.query({
      text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
        SELECT $at, $supplierId, 'tg', 2, 'altel', 50, 40, array_fill(0, ARRAY[17])`,
      values: { at: new Date(a.clock.now().getTime() - HOUR), supplierId: supplier.id },
    })
    await followHealth(b.ctx)
    expect(healthBookOf(b.ctx).of(supplier.id).state).toBe('aside')
    await followOutcomes(b.ctx)
    expect(catalogOf(b.ctx).measured().get(pairKey('tg', 2))).toMatchObject([
      { outcomes: { purchases: 50, codes: 40 } },
    ])
  },
)

test.runIf(program)('a limit of purchases a minute from a supplier counts over two nodes', async () => {
  await using nodes = await startNodes(program)
  const { a, b, supplier } = nodes
  await addSupplier(b.ctx, supplier)
  const buyer = await a.makeUser({ balance: '100.00' })
  await typed(a.database, 'supplier:route', supplier.code, '--per-minute', '2', ...WHY)
  for (const { ctx } of [a, b]) await loadRouteRules(ctx)
  await buyOne(a, buyer)
  await buyOne(b, buyer)
  for (const t of [a, b]) await expect(buyOne(t, buyer)).rejects.toThrow('NO_NUMBERS')
  a.clock.advance(MINUTE)
  await buyOne(a, buyer)
  await nodes.redis.kill()
  for (const { ctx } of [a, b]) nodeOf(ctx).livingNodes = 2
  await buyOne(b, buyer)
  await expect(buyOne(b, buyer)).rejects.toThrow('NO_NUMBERS')
})

test.runIf(program)(
  'a message whose storing was unsure at one node is told of when it comes again to the other',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b, supplier } = nodes
    const buyer = await a.makeUser({ balance: '100.00' })
    const { id, phone } = await buyOne(a, buyer)
    using page = await listen(b, buyer)
    const query = a.ctx.db.query.bind(a.ctx.db)
    a.ctx.db.query = async (given) => {
      const answer = await query(given)
      if (given.name !== 'activation-store-sms-for-only-holder') return answer as never
      a.ctx.db.query = query
      throw new Error('Query read timeout')
    }
    await expect(pushSms(a, supplier, { phone, messageId: '1' })).rejects.toThrow('Query read timeout')
    await a.ctx.background.idle()
    await expect
      .poll(async () => {
        await pushSms(b, supplier, { phone, messageId: '1' })
        return (await b.ctx.metrics.liveEvents.get()).values.map(({ labels }) => labels.event)
      })
      .toContain('NewCode')
    expect(await page.next('NewCode')).toMatchObject({ record: { id }, message: { code: '48213' } })
  },
)

test.runIf(program)(
  'a message that came to one node before the other settled the purchase is handed over',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b, supplier } = nodes
    for (const { ctx } of [a, b]) nodeOf(ctx).leases = new Set()
    const buyer = await a.makeUser({ balance: '100.00' })
    supplier.onBuy = async (order) => {
      const number = supplier.sell(order)
      await pushSms(b, supplier, { phone: number.phone })
      expect(await count(a.ctx, `messages WHERE given = 'unmatched'`)).toBe(1)
      return number
    }
    const { id } = await buyOne(a, buyer)
    expect(await count(a.ctx, `messages WHERE given = 'named' AND activation_id = $1`, [id])).toBe(1)
  },
)
