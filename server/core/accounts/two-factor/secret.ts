import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { listTwoFactor, resealSecret } from './queries.ts'

type Sealed = Record<string, unknown>

export function sealSecret(ctx: Context, secret: string): Sealed {
  return seal({ secret }, ctx.secrets.secretKey, ctx.random)
}

export function openSecret(ctx: Context, sealed: Sealed): string {
  return opened(ctx, sealed).secret
}

function opened(ctx: Context, sealed: Sealed): { secret: string; outdated: boolean } {
  const { value, outdated } = unseal(sealed, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  if (typeof value.secret !== 'string') throw new Error('a sealed two-factor secret holds no text')
  return { secret: value.secret, outdated }
}

const BATCH = 500

/** Encrypts all TOTP secrets again with the current SECRET_KEY, so that a replaced key can be removed. */
export async function resealTwoFactor(ctx: Context): Promise<number> {
  if (ctx.secrets.previousSecretKeys.length === 0) return 0
  let resealed = 0
  for (let after = 0; ; ) {
    const rows = await listTwoFactor(ctx.db, { after, limit: BATCH })
    for (const row of rows) {
      const { secret, outdated } = opened(ctx, row.secret)
      if (outdated && (await resealSecret(ctx.db, { ...row, fresh: sealSecret(ctx, secret) }))) resealed += 1
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return resealed
    after = last.user_id
  }
}
