import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MICROS_PER_UNIT } from '#contract/money.ts'
import { contentLocale } from '#contract/settings/languages.ts'
import { DAY, HOUR } from '#contract/time.ts'
import type { UserRole } from '#contract/user.ts'
import { makeApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { replaceApiKey } from '#server/core/accounts/api-keys/queries.ts'
import { beginSetUp, confirmSetUp } from '#server/core/accounts/two-factor/queries.ts'
import { sealSecret } from '#server/core/accounts/two-factor/secret.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import { makeHash } from '#server/core/accounts/users/password.ts'
import { findUserByEmail } from '#server/core/accounts/users/queries.ts'
import { recordOutcomes } from '#server/core/catalog/offers/outcome-queries.ts'
import { hashVoucher, tidyVoucher } from '#server/core/payments/redeem-voucher.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { writeWhole } from '#server/house/write-whole.ts'
import { demoAnswers } from './demo-answers.ts'
import { demoOutcomes } from './demo-outcomes.ts'
import { fillPast } from './past/fill-past.ts'
import {
  hasDemoOutcomes,
  insertDemoAnswers,
  insertDemoGateways,
  insertDemoOutcomes,
  insertDemoVoucher,
  insertSimulator,
  insertUsdRate,
  markDemo,
} from './queries.ts'

export const demoBuyer = { email: 'demo@ringpost.test', password: 'demo-password-1' }
export const demoOperator = { email: 'operator@ringpost.test', password: 'operator-password-1' }
/** The demo's voucher and passwords are public, because the demo has play money only. */
export const demoVoucher = 'DEMO-DEMO-DEMO-DEMO'
export const demoSupport = { email: 'support@ringpost.test', password: 'support-password-1' }
/** The authenticator secret of the demo's staff is public, like their passwords. `demo:code` prints its code. */
export const demoTotpSecret = 'RINGPOSTDEMOSTAFFRINGPOSTDEMOSTA'

const DEMO_VOUCHER_MICROS = 250n * MICROS_PER_UNIT
const DEMO_BALANCE_MICROS = 1_000n * MICROS_PER_UNIT
const DEMO_RUB_PER_USD_MICROS = 90n * MICROS_PER_UNIT
const DEMO_PAST_MS = 5 * DAY

/**
 * Fills the demo's database with a supplier, gateways, statistics, users and money, and at the first start with a
 * history. A repeated call is harmless.
 */
export async function fillDemo(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  await markDemo(ctx.db, now)
  const supplierId = await insertSimulator(ctx.db, now)
  await insertDemoGateways(ctx.db, now)
  const codeHash = hashVoucher(tidyVoucher(demoVoucher))
  await insertDemoVoucher(ctx.db, { codeHash, amountMicros: DEMO_VOUCHER_MICROS, now })
  await insertUsdRate(ctx.db, { rubMicros: DEMO_RUB_PER_USD_MICROS, now })
  if (!(await hasDemoOutcomes(ctx.db, supplierId, new Date(now.getTime() - DEMO_PAST_MS)))) {
    const hour = new Date(Math.floor(now.getTime() / HOUR) * HOUR)
    await insertDemoOutcomes(ctx.db, { supplierId, hour, outcomes: demoOutcomes() })
  }
  const buyerId = await addUser(ctx, { ...demoBuyer, role: 'user' })
  const operatorId = await addStaff(ctx, { ...demoOperator, role: 'operator' })
  await insertDemoAnswers(ctx.db, { answers: demoAnswers, userId: operatorId, now })
  const supportId = await addStaff(ctx, { ...demoSupport, role: 'support' })
  await keepDemoKey(ctx, buyerId)
  if (await fillPast(ctx, { buyerId, supportId })) await recordOutcomes(ctx.db, now)
  // A history has this credit already.
  const credit = { userId: buyerId, amountMicros: DEMO_BALANCE_MICROS, idempotencyKey: 'demo', at: now }
  await adjustBalance(ctx.db, credit)
}

async function addStaff(ctx: Context, user: Parameters<typeof addUser>[1]): Promise<number> {
  const userId = await addUser(ctx, user)
  const [secret, now] = [sealSecret(ctx, demoTotpSecret), ctx.clock.now()]
  if (await beginSetUp(ctx.db, { userId, secret, now })) await confirmSetUp(ctx.db, { userId, secret, step: 0n, now })
  return userId
}

async function addUser(ctx: Context, user: { email: string; password: string; role: UserRole }): Promise<number> {
  const known = await findUserByEmail(ctx.db, user.email)
  if (known !== null) return known.id
  const now = ctx.clock.now()
  const passwordHash = await makeHash(ctx, user.password)
  const id = await transaction(ctx.db, (tx) =>
    createUser(tx, {
      email: user.email,
      name: user.email.split('@')[0] ?? '',
      passwordHash,
      role: user.role,
      zone: ctx.config.zones[0]?.name ?? 'ru',
      locale: contentLocale(ctx.config.zones[0]?.locales[0] ?? 'ru'),
      currency: 'rub',
      emailVerifiedAt: now,
      now,
    }),
  )
  if (id === null) throw new Error('a user of the demo neither exists nor could be made')
  return id
}

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

export async function readDemoKey(dataDir: string): Promise<string | null> {
  const text = await readFile(demoFile(dataDir), 'utf8').catch(() => null)
  if (text === null) return null
  const parsed: unknown = JSON.parse(text)
  const key = typeof parsed === 'object' && parsed !== null && 'apiKey' in parsed ? parsed.apiKey : null
  return typeof key === 'string' ? key : null
}

/** Stores the demo's API key in a file. The database has only a hash, so a lost file means a new key. */
async function keepDemoKey(ctx: Context, userId: number): Promise<void> {
  const { dataDir } = ctx.config
  const kept = await readDemoKey(dataDir)
  const apiKey = kept ?? makeApiKey(ctx.random)
  await replaceApiKey(ctx.db, { userId, apiKey, now: ctx.clock.now() })
  if (kept !== null) return
  await writeWhole(demoFile(dataDir), `${JSON.stringify({ email: demoBuyer.email, apiKey }, null, 2)}\n`)
}
