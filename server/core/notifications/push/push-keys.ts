import { createECDH } from 'node:crypto'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { findPushKeys, keepPushKeys, resealPushKeys } from './queries/subscriptions.ts'

/** The VAPID keys of RFC 8292, both in base64url. */
export type PushKeys = { publicKey: string; privateKey: string }

const keptOf = perContext(
  'keys of browser push',
  { scope: 'process', nodes: 'own', lost: 'nothing: they are read from the tables' },
  (): { keys: PushKeys | null } => ({ keys: null }),
)

/** Returns the VAPID keys, which are made on first use and never change, because every browser subscribed with them. */
export async function pushKeysOf(ctx: Context): Promise<PushKeys> {
  const kept = keptOf(ctx)
  if (kept.keys !== null) return kept.keys
  const found =
    (await findPushKeys(ctx.db)) ?? (await keepPushKeys(ctx.db, { made: makeKeys(ctx), now: ctx.clock.now() }))
  const { value, outdated } = unseal(found.private_key, [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys])
  if (typeof value.key !== 'string') throw new Error('the sealed key of push holds no text')
  if (outdated)
    await resealPushKeys(ctx.db, { was: found.private_key, fresh: seal(value, ctx.secrets.secretKey, ctx.random) })
  kept.keys = { publicKey: found.public_key, privateKey: value.key }
  return kept.keys
}

const KEY_BYTES = 32

function makeKeys(ctx: Context) {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(ctx.random.bytes(KEY_BYTES))
  return {
    public_key: curve.getPublicKey('base64url'),
    private_key: seal({ key: curve.getPrivateKey('base64url') }, ctx.secrets.secretKey, ctx.random),
  }
}
