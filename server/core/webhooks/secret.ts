import { createHmac } from 'node:crypto'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { listSealed, resealEndpoint } from './queries/sealed.ts'

export type Sealed = Record<string, unknown>

/** A symmetric key in the format of Standard Webhooks is `whsec_` and base64. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const BATCH = 500

export function makeSecret(ctx: Context): { secret: string; sealed: Sealed } {
  const secret = `${PREFIX}${ctx.random.bytes(SECRET_BYTES).toString('base64')}`
  return { secret, sealed: sealSecret(ctx, secret) }
}

export function openSecret(ctx: Context, sealed: Sealed): string {
  return opened(ctx, sealed).secret
}

export function signatureOf(secret: string, signed: { id: string; seconds: number; body: Buffer }): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${signed.id}.${signed.seconds}.`).update(signed.body)
  return `v1,${hmac.digest('base64')}`
}

/** Encrypts all webhook secrets again with the current SECRET_KEY, so that a replaced key can be removed. */
export async function resealWebhooks(ctx: Context): Promise<void> {
  if (ctx.secrets.previousSecretKeys.length === 0) return
  for (let after = 0; ; ) {
    const rows = await listSealed(ctx.db, { after, limit: BATCH })
    for (const { id, secret, previous_secret: previous } of rows) {
      const now = opened(ctx, secret)
      const before = previous === null ? null : opened(ctx, previous)
      if (!now.outdated && before?.outdated !== true) continue
      const fresh = sealSecret(ctx, now.secret)
      const freshPrevious = before === null ? null : sealSecret(ctx, before.secret)
      await resealEndpoint(ctx.db, { id, was: secret, fresh, freshPrevious })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = last.id
  }
}

function sealSecret(ctx: Context, secret: string): Sealed {
  return seal({ secret }, ctx.secrets.secretKey, ctx.random)
}

function opened(ctx: Context, sealed: Sealed): { secret: string; outdated: boolean } {
  const { value, outdated } = unseal(sealed, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  if (typeof value.secret !== 'string') throw new Error('a sealed webhook secret holds no text')
  return { secret: value.secret, outdated }
}
