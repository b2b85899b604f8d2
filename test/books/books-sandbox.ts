import { makeShadow } from '#server/core/accounts/sandbox/make-shadow.ts'
import { findShadow, insertShadow } from '#server/core/accounts/sandbox/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { findSandboxRow, insertSandbox } from '#server/core/catalog/offers/sandbox-queries.ts'
import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { creditPlayMoney, openSandboxAccount } from '#server/house/money/sandbox/play-money.ts'
import { sandboxOf, sandboxSupplyOf } from '#server/house/sandbox.ts'
import { createFakeSupplier, type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import type { TestApp } from '#test/harness/harness.ts'
import { addActivation, BOOKS_START } from './books.ts'
import type { PlayStep } from './play-model.ts'

/**
 * Inserts a buyer's sandbox account, with play money that is captured, held and released. Returns the account's user
 * id.
 */
export async function fillSandbox(db: Db, ownerId: number): Promise<number> {
  await insertSandbox(db, BOOKS_START)
  const { rows } = await db.query<{ id: number }>({ text: 'SELECT id FROM suppliers WHERE sandbox' })
  const supplierId = rows[0]?.id ?? 0
  const userId = (await insertShadow(db, { ownerId, now: BOOKS_START })) ?? (await findShadow(db, ownerId)) ?? 0
  await openSandboxAccount(db, { userId, like: ownerId, openNumbers: 1_000 })
  await creditPlayMoney(db, { userId, now: BOOKS_START })
  for (const [place, ending] of (['waiting', 'finished', 'cancelled'] as const).entries()) {
    const phone = `70000${String(place).padStart(6, '0')}`
    if ((await addActivation(db, { supplierId, userId, currency: 'rub', phone, ending })) === null) {
      throw new Error('the play money ran out')
    }
  }
  return userId
}

/** The sandbox accounts of the users, and their activations that wait for a code, newest last. */
export type PlayWorld = { supplier: FakeSupplier; shadows: number[]; waiting: Map<number, ActivationRow[]> }

const fakes = new WeakMap<TestApp, FakeSupplier>()

export async function makePlayWorld(t: TestApp, owners: readonly number[]): Promise<PlayWorld> {
  const supplier = fakes.get(t) ?? (await addPlayFake(t))
  fakes.set(t, supplier)
  const shadows: number[] = []
  for (const ownerId of owners) {
    await transaction(t.ctx.db, (tx) => makeShadow(tx, { ownerId, most: null, now: t.clock.now() }))
    shadows.push((await findShadow(t.ctx.db, ownerId)) ?? 0)
  }
  return { supplier, shadows, waiting: new Map() }
}

async function addPlayFake({ ctx }: TestApp): Promise<FakeSupplier> {
  await insertSandbox(ctx.db, ctx.clock.now())
  const row = await findSandboxRow(ctx.db)
  if (row === null) throw new Error('the supplier of the sandbox was not inserted')
  sandboxSupplyOf(ctx).supplierId = row.id
  sandboxSupplyOf(ctx).pricedBy = ''
  await loadCatalog(ctx)
  const supplier = Object.assign(createFakeSupplier(row), { sandbox: true as const })
  catalogOf(sandboxOf(ctx)).setOffers(row.id, [fakeOffer])
  await suppliersOf(ctx).add(supplier)
  return supplier
}

export async function actPlay(t: TestApp, world: PlayWorld, { user, what }: PlayStep): Promise<void> {
  const ctx = sandboxOf(t.ctx)
  const userId = world.shadows[user] ?? 0
  const waiting = world.waiting.get(user) ?? []
  world.waiting.set(user, waiting)
  if (what === 'top-up') await creditPlayMoney(ctx.db, { userId, now: ctx.clock.now() })
  if (what === 'buy') {
    const currency = (await findAccount(ctx.db, userId))?.currency ?? 'rub'
    const kind = { serviceCode: 'tg', countryId: 2, operator: null } as const
    waiting.push((await buyActivation(ctx, { userId, currency, ...kind, channel: 'site' })).activation)
  }
  if (what !== 'code') return
  const rows = await Promise.all(waiting.map(({ id }) => findAnyActivation(ctx.db, id)))
  const last = rows.findLast((row) => row?.state === 'waiting')
  if (last?.phone == null) return
  const message = { messageId: `play-${last.id}`, sender: 'Telegram', text: 'Telegram code: 12345' }
  await receiveSms(ctx, { supplierId: world.supplier.id, phone: last.phone, ...message })
}
