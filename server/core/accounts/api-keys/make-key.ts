import type { z } from 'zod'
import { type keyInputSchema, MAX_KEYS, MAX_SANDBOX_KEYS, type rotateKeyInputSchema } from '#contract/api-key.ts'
import type { Mail } from '#contract/mails.ts'
import { parseDecimal } from '#contract/money.ts'
import { HOUR, MINUTE } from '#contract/time.ts'
import { makeShadow } from '#server/core/accounts/sandbox/make-shadow.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound, tooManyKeys } from '#server/house/errors/errors.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { sandboxSupplyOf } from '#server/house/sandbox.ts'
import { hashApiKey, makeApiKey } from './api-key.ts'
import { dropSecrets, forgetLookUps } from './key-memory.ts'
import { insertKey, type KeyRow, rotateKey } from './queries.ts'

/** The rate limit bounds database rows and mails, because each new key adds a permanent row and sends a mail. */
const perUser = createRateLimit({ name: 'new API keys of a user', burst: 30, refillMs: 10 * MINUTE })

export type MadeKey = { row: KeyRow; secret: string }

/**
 * Makes an API key and returns its secret, shown only once. Throws CONFIRM_PASSWORD, TOO_MANY_KEYS, TOO_MANY_REQUESTS.
 */
export async function makeKey(
  ctx: Context,
  signedIn: SignedIn,
  input: z.output<typeof keyInputSchema>,
): Promise<MadeKey> {
  await admit(ctx, signedIn)
  const { userId } = signedIn
  const secret = makeApiKey(ctx.random)
  const now = ctx.clock.now()
  // Other nodes fill their sandboxes when they see the version of the catalogue.
  const isFirst = isTogether(ctx) && sandboxSupplyOf(ctx).pricedBy === null
  const row = await transaction(ctx.db, async (tx) => {
    const made = await insertKey(tx, {
      userId,
      keyHash: hashApiKey(secret),
      name: input.name,
      scopes: input.scopes,
      addresses: input.addresses,
      dialect: input.dialect,
      dayLimitMicros: input.day_limit === undefined ? null : parseDecimal(input.day_limit),
      sandbox: input.sandbox,
      limit: MAX_KEYS,
      sandboxLimit: MAX_SANDBOX_KEYS,
      now,
    })
    if (made === null) throw tooManyKeys(input.sandbox ? MAX_SANDBOX_KEYS : MAX_KEYS)
    if (made.sandbox) {
      await makeShadow(tx, { ownerId: userId, most: ctx.config.maxOpenNumbers, now })
      if (isFirst) await raiseCatalogVersion(tx, now)
    }
    await tellOwner(ctx, tx, { userId, name: made.name, change: 'made' })
    return made
  })
  if (row.sandbox && isFirst) tellNodes(ctx, { kind: 'catalogue-changed' })
  // A failure to fill the sandbox must not lose the reply, because the new key's secret is shown only once.
  if (row.sandbox)
    await sandboxSupplyOf(ctx)
      .fill()
      .catch((error: unknown) => ctx.log.error({ error }, 'the sandbox has no offers'))
  return { row, secret }
}

/**
 * Gives a key a new secret; the old one stays valid during the overlap, if one is set. Throws NOT_FOUND,
 * CONFIRM_PASSWORD, TOO_MANY_REQUESTS.
 */
export async function renewKey(
  ctx: Context,
  signedIn: SignedIn,
  input: z.output<typeof rotateKeyInputSchema>,
): Promise<MadeKey> {
  await admit(ctx, signedIn)
  const { userId } = signedIn
  const secret = makeApiKey(ctx.random)
  const now = ctx.clock.now()
  const row = await transaction(ctx.db, async (tx) => {
    const renewed = await rotateKey(tx, {
      id: input.id,
      userId,
      keyHash: hashApiKey(secret),
      previousUntil: input.overlap_hours === 0 ? null : new Date(now.getTime() + input.overlap_hours * HOUR),
      now,
    })
    if (renewed === null) throw notFound()
    await tellOwner(ctx, tx, { userId, name: renewed.name, change: 'renewed' })
    return renewed
  })
  forgetLookUps(ctx, [row.earlier])
  dropSecrets(ctx, { id: row.id, version: row.rules_version }, row.dropped)
  return { row, secret }
}

async function admit(ctx: Context, signedIn: SignedIn): Promise<void> {
  await requireConfirmed(ctx, signedIn)
  await perUser.spend(ctx, String(signedIn.userId))
}

export async function tellOwner(
  ctx: Context,
  tx: Db,
  { userId, name, change }: { userId: number; name: string; change: 'made' | 'renewed' | 'widened' },
): Promise<void> {
  const user = await findUser(tx, userId)
  if (user === null || user.email === null) return
  const mail: Mail =
    change === 'widened'
      ? { kind: 'api-key-widened', name }
      : { kind: 'api-key-made', name, renewed: change === 'renewed' }
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
}
