import QRCode from 'qrcode'
import { HOUR } from '#contract/time.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import { findTwoFactor } from '#server/core/accounts/ways-in/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { codeExpired, twoFactorOn } from '#server/house/errors/errors.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { acceptCode } from './accept-code.ts'
import { tryCode } from './code-tries.ts'
import { beginSetUp, confirmSetUp, deleteTwoFactor, replaceRecoveryCodes } from './queries.ts'
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-code.ts'
import { openSecret, sealSecret } from './secret.ts'
import { makeTotpSecret, otpauthUrl, stepOfCode } from './totp.ts'
import { wrongCodeIn } from './wrong-code.ts'

const SET_UP_LIFETIME_MS = HOUR

type CodeInput = { code: string; address: string }
type SetUp = { secret: string; otpauth_url: string; qr: string }

/** Makes a TOTP secret, in effect only after one of its codes confirms it. Throws TWO_FACTOR_ON, CONFIRM_PASSWORD. */
export async function setUpTwoFactor(ctx: Context, signedIn: SignedIn): Promise<SetUp> {
  await requireConfirmed(ctx, signedIn)
  const { userId } = signedIn
  const secret = makeTotpSecret(ctx.random)
  const begun = await beginSetUp(ctx.db, { userId, secret: sealSecret(ctx, secret), now: ctx.clock.now() })
  if (!begun) throw twoFactorOn()
  const user = await findUser(ctx.db, userId)
  const url = otpauthUrl(secret, user?.email ?? `${userId}`)
  const svg = await QRCode.toString(url, { type: 'svg', margin: 2 })
  return { secret, otpauth_url: url, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}

/**
 * Turns the second factor on and returns the recovery codes, shown only once. Throws CODE_EXPIRED, WRONG_CODE,
 * TOO_MANY_REQUESTS.
 */
export async function confirmTwoFactor(
  ctx: Context,
  { userId }: SignedIn,
  { code, address }: CodeInput,
): Promise<string[]> {
  const row = await findTwoFactor(ctx.db, userId)
  const now = ctx.clock.now()
  if (row === null || row.confirmed_at !== null) throw codeExpired()
  if (now.getTime() - row.created_at.getTime() >= SET_UP_LIFETIME_MS) throw codeExpired()
  const secret = openSecret(ctx, row.secret)
  const step = await stepOfCode(secret, code.replaceAll(' ', ''), ctx.clock.wall())
  await tryCode(ctx, guesser(userId), async () => step !== null)
  if (step === null) throw wrongCodeIn('code')
  const confirmed = { userId, secret: row.secret, step, now }
  const codes = await transaction(ctx.db, async (tx) => {
    if (!(await confirmSetUp(tx, confirmed))) throw codeExpired()
    await tellOwner(ctx, tx, userId, 'two-factor-on')
    return giveRecoveryCodes(ctx, tx, userId, secret)
  })
  logAccountEvent(ctx, { event: 'two-factor-on', userId, address })
  return codes
}

/** Turns the second factor off. Throws WRONG_CODE, CONFIRM_PASSWORD, TOO_MANY_REQUESTS. */
export async function disableTwoFactor(ctx: Context, signedIn: SignedIn, { code, address }: CodeInput): Promise<void> {
  await requireConfirmed(ctx, signedIn, 'two-factor')
  const { userId } = signedIn
  await withCode(ctx, { userId, code, address }, async (tx) => {
    await deleteTwoFactor(tx, userId)
    await tellOwner(ctx, tx, userId, 'two-factor-off')
  })
  logAccountEvent(ctx, { event: 'two-factor-off', userId, address })
}

/** Replaces earlier recovery codes. Throws WRONG_CODE, CONFIRM_PASSWORD, TOO_MANY_REQUESTS. */
export async function renewRecoveryCodes(
  ctx: Context,
  signedIn: SignedIn,
  { code, address }: CodeInput,
): Promise<string[]> {
  await requireConfirmed(ctx, signedIn, 'two-factor')
  const { userId } = signedIn
  const codes = await withCode(ctx, { userId, code, address }, async (tx, secret) => {
    await tellOwner(ctx, tx, userId, 'recovery-codes-renewed')
    return giveRecoveryCodes(ctx, tx, userId, secret)
  })
  logAccountEvent(ctx, { event: 'recovery-codes-renewed', userId, address })
  return codes
}

export async function showSecondFactor(
  ctx: Context,
  input: { userId: number; code: string; address: string },
): Promise<void> {
  await withCode(ctx, input, async () => undefined)
}

/** Runs `work` in the transaction that spends the code. While two-factor is off, every code is wrong. */
async function withCode<T>(
  ctx: Context,
  input: { userId: number; code: string; address: string },
  work: (tx: Db, secret: string) => Promise<T>,
): Promise<T> {
  return transaction(ctx.db, async (tx) => {
    const row = await findTwoFactor(tx, input.userId)
    if (row === null || row.confirmed_at === null) throw wrongCodeIn('code')
    const right = await tryCode(ctx, guesser(input.userId), () => acceptCode(ctx, tx, row, input))
    if (!right) throw wrongCodeIn('code')
    return work(tx, openSecret(ctx, row.secret))
  })
}

async function giveRecoveryCodes(ctx: Context, tx: Db, userId: number, secret: string): Promise<string[]> {
  const codes = makeRecoveryCodes(ctx.random)
  await replaceRecoveryCodes(tx, { userId, hashes: codes.map((code) => hashRecoveryCode(secret, code)) })
  return codes
}

type News = 'two-factor-on' | 'two-factor-off' | 'recovery-codes-renewed'

async function tellOwner(ctx: Context, tx: Db, userId: number, kind: News): Promise<void> {
  const user = await findUser(tx, userId)
  if (user === null || user.email === null) return
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail: { kind } })
}

/**
 * Returns the counter of wrong codes of a signed-in user. Sign-ins have another, so that a thief with a session cannot
 * lock the owner out.
 */
function guesser(userId: number): string {
  return `${userId} signed in`
}
