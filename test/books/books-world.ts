import { SECOND } from '#contract/time.ts'
import { askForAnotherCode } from '#server/core/numbers/activations/ask-another-code.ts'
import { cancelActivation, markActivationUsed } from '#server/core/numbers/activations/cancel.ts'
import { finishActivation } from '#server/core/numbers/activations/finish.ts'
import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { reportUnusable } from '#server/core/numbers/activations/report-unusable.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { cancelPreorder } from '#server/core/numbers/preorders/cancel.ts'
import { createPreorder } from '#server/core/numbers/preorders/create.ts'
import { endWaiting } from '#server/core/numbers/preorders/queries/change.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { replaceActivation } from '#server/core/numbers/purchase/replace.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import type { TestApp } from '#test/harness/harness.ts'
import { addBuyer } from './books.ts'
import { type Expected, PRICES, type Step, type SupplierMood, USERS } from './books-model.ts'
import { actPlay, makePlayWorld, type PlayWorld } from './books-sandbox.ts'

export const START_MICROS = 30_000_000n
export const CURRENCIES = ['rub', 'rub', 'usd'] as const

export type World = {
  t: TestApp
  supplier: FakeSupplier
  users: number[]
  bought: ActivationRow[]
  preorders: bigint[]
  messages: number
  play: PlayWorld
}

const KIND = { serviceCode: 'tg', countryId: 2, operator: null } as const

let worlds = 0

/** Creates new buyers for a run of the test, so that runs on one application do not interfere. */
export async function makeWorld(t: TestApp, supplier: FakeSupplier): Promise<World> {
  worlds += 1
  await dropPreorders(t)
  const users: number[] = []
  for (let place = 0; place < USERS; place += 1) {
    const email = `world-${worlds}-${place}@example.test`
    const id = await addBuyer(t.ctx.db, {
      email,
      currency: CURRENCIES[place] ?? 'rub',
      units: START_MICROS / 1_000_000n,
    })
    users.push(id)
  }
  return { t, supplier, users, bought: [], preorders: [], messages: 0, play: await makePlayWorld(t, users) }
}

/** Cancels the earlier run's pre-orders, which would otherwise be bought among the new run's. */
async function dropPreorders({ ctx }: TestApp): Promise<void> {
  const { rows } = await ctx.db.query<{ id: bigint }>({ text: `SELECT id FROM preorders WHERE state = 'waiting'` })
  for (const { id } of rows) await endWaiting(ctx.db, { id, state: 'cancelled', now: ctx.clock.now() })
}

/** The answers that are allowed when steps run at the same time. Any other answer is a fault. */
export const KNOWN_ANSWERS = [
  'ok',
  'refused',
  'not-captured',
  'refunded-before',
  'NOT_FOUND',
  'NO_NUMBERS',
  'NO_BALANCE',
  'IN_PROGRESS',
  'EARLY_CANCEL_DENIED',
  'CODE_ALREADY_RECEIVED',
  'ACTIVATION_ENDED',
  'NO_CODE_YET',
  'TOO_MANY_PREORDERS',
  'PREORDER_ENDED',
]

export async function run(world: World, step: Step): Promise<Expected> {
  try {
    return await act(world, step)
  } catch (error) {
    if (error instanceof AppError) return { answer: error.code }
    throw error
  }
}

async function act(world: World, step: Step): Promise<Expected> {
  const { t, users, supplier } = world
  const { ctx } = t
  const row = 'target' in step ? world.bought[step.target % Math.max(1, world.bought.length)] : undefined
  const userId = 'user' in step && step.user !== null ? (users[step.user] ?? 0) : (row?.user_id ?? 0)
  switch (step.do) {
    case 'buy':
      return { answer: 'ok', bought: await buyForWorld(world, step) }
    case 'credit':
    case 'debit': {
      const amountMicros = BigInt(step.do === 'credit' ? step.micros : -step.micros)
      const input = { userId, amountMicros, idempotencyKey: `k${step.key}`, at: ctx.clock.now() }
      // If adjustments with one idempotency key race, the second violates a constraint and is repeated.
      const moved = await adjustBalance(ctx.db, input).catch(() => adjustBalance(ctx.db, input))
      return { answer: moved === null ? 'refused' : 'ok' }
    }
    case 'play':
      await actPlay(t, world.play, step)
      return { answer: 'ok' }
    case 'wait':
      t.clock.advance(step.seconds * SECOND)
      return { answer: 'ok' }
    case 'sweep':
      await sweepExpired(ctx)
      await buyForPreorders(world, step.supplier)
      return { answer: 'ok' }
    case 'preorder':
      world.preorders.push((await wish(world, userId, step.enough)).id)
      return { answer: 'ok' }
    case 'drop':
      await drop(world, step)
      return { answer: 'ok' }
    case 'replace': {
      setMood(supplier, step.supplier)
      world.bought.push(await replaceActivation(ctx, { activationId: Number(row?.id ?? 1), userId }))
      return { answer: 'ok', bought: true }
    }
    default:
      return { answer: await touch(world, { step, row, userId }) }
  }
}

async function touch(
  world: World,
  input: { step: Extract<Step, { target: number }>; row: ActivationRow | undefined; userId: number },
): Promise<string> {
  const { t, supplier } = world
  const { ctx } = t
  const { step, row, userId } = input
  const one = { activationId: Number(row?.id ?? 1), userId }
  if (step.do === 'cancel') await cancelActivation(ctx, one)
  if (step.do === 'used') await markActivationUsed(ctx, one)
  if (step.do === 'again') await askForAnotherCode(ctx, one)
  if (step.do === 'finish') await finishActivation(ctx, one)
  if (row === undefined) return 'ok'
  if (step.do === 'code') {
    world.messages += 1
    await receiveSms(ctx, sms(supplier, row, `m-${row.id}-${world.messages}`))
  }
  if (step.do === 'repeat') await repeatNewest(t, row)
  if (step.do === 'unusable')
    await reportUnusable(ctx, { supplierId: supplier.id, reference: `${row.id}-${row.attempt}` })
  if (step.do !== 'refund') return 'ok'
  const { outcome } = await refundActivation(ctx.db, { activationId: row.id, at: ctx.clock.now() })
  return outcome === 'refunded' ? 'ok' : outcome
}

function setMood(supplier: FakeSupplier, mood: SupplierMood): void {
  supplier.onBuy = async (order) => {
    if (mood === 'sells') return supplier.sell(order)
    if (mood === 'refuses') return { outcome: 'refused', reason: 'no-numbers' }
    throw new Error('the connection broke')
  }
}

async function wish({ t }: World, userId: number, enough: boolean) {
  const currency = (await findAccount(t.ctx.db, userId))?.currency ?? 'rub'
  const maxPriceMicros = PRICES[currency] - (enough ? 0n : 1n)
  return createPreorder(t.ctx, { ...KIND, userId, currency, maxPriceMicros, hours: 1 })
}

async function drop({ t, users, preorders }: World, step: Extract<Step, { do: 'drop' }>): Promise<void> {
  const id = preorders[step.order % Math.max(1, preorders.length)] ?? 1n
  const { rows } = await t.ctx.db.query<{ user_id: number }>({
    text: 'SELECT user_id FROM preorders WHERE id = $1',
    values: [id],
  })
  const userId = step.user === null ? (rows[0]?.user_id ?? 0) : (users[step.user] ?? 0)
  await cancelPreorder(t.ctx, { preorderId: Number(id), userId })
}

async function buyForPreorders({ t, supplier, bought, preorders }: World, mood: SupplierMood): Promise<void> {
  setMood(supplier, mood)
  await sweepPreorders(t.ctx)
  const { rows } = await t.ctx.db.query<{ activation_id: bigint }>({
    text: `SELECT activation_id FROM preorders WHERE id = ANY ($1) AND state = 'bought' ORDER BY activation_id`,
    values: [preorders],
  })
  for (const { activation_id: id } of rows) {
    const row = bought.some((one) => one.id === id) ? null : await findAnyActivation(t.ctx.db, id)
    if (row !== null) bought.push(row)
  }
}

async function buyForWorld(world: World, step: Extract<Step, { do: 'buy' }>): Promise<boolean> {
  const { t, supplier, users, bought } = world
  setMood(supplier, step.supplier)
  const key = step.key === null ? undefined : `key-${step.key}`
  const { activation, repeated } = await buy(t, users[step.user] ?? 0, key)
  if (!repeated) bought.push(activation)
  return !repeated
}

async function repeatNewest({ ctx }: TestApp, row: ActivationRow): Promise<void> {
  const { rows } = await ctx.db.query<{ supplier_message_id: string; sender: string; body: string }>({
    text: 'SELECT supplier_message_id, sender, body FROM messages WHERE phone = $1 ORDER BY id DESC LIMIT 1',
    values: [row.phone],
  })
  const last = rows[0]
  if (last === undefined || row.phone === null) return
  const { supplier_message_id: messageId, sender, body: text } = last
  await receiveSms(ctx, { supplierId: row.supplier_id, phone: row.phone, messageId, sender, text })
}

export function buy(t: TestApp, userId: number, idempotencyKey?: string) {
  return findAccount(t.ctx.db, userId).then((account) =>
    buyActivation(t.ctx, {
      userId,
      currency: account?.currency ?? 'rub',
      ...KIND,
      idempotencyKey,
      channel: 'site',
    }),
  )
}

export function sms(supplier: FakeSupplier, row: ActivationRow, messageId: string) {
  return {
    supplierId: supplier.id,
    messageId,
    phone: row.phone ?? '',
    sender: 'Telegram',
    text: `Code 12345 (${messageId})`,
  }
}
