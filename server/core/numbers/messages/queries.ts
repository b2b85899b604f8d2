import type { Db } from '#server/house/db/pool.ts'
import type { IgnoredBy, Sign, SignKind, SignSource, Strength } from './sign.ts'

type SignRow = {
  service_code: string
  kind: SignKind
  value: string
  strength: Strength
  source: SignSource
  known: boolean
}

export async function listSigns(db: Db): Promise<Sign[]> {
  const { rows } = await db.query<SignRow>({
    text: `SELECT service_code, kind, value, strength, source, known FROM service_signs WHERE NOT removed
      ORDER BY service_code, kind, value`,
  })
  return rows.map(({ service_code: serviceCode, ...row }) => ({ serviceCode, ...row }))
}

export async function listIgnoredSenders(db: Db): Promise<{ sender: string; source: IgnoredBy }[]> {
  const text = 'SELECT sender, source FROM ignored_senders WHERE NOT removed ORDER BY sender'
  return (await db.query<{ sender: string; source: IgnoredBy }>({ text })).rows
}

export type SeedSign = Omit<Sign, 'source'>

/** Replaces the signs (brand words and senders) of the seed. Signs that staff set and learnt signs stay. */
export async function replaceSeedSigns(db: Db, signs: readonly SeedSign[]): Promise<void> {
  await db.query({
    text: `WITH given AS (
      SELECT * FROM unnest($serviceCodes::text[], $kinds::text[], $values::text[], $strengths::text[], $known::boolean[])
        AS given (service_code, kind, value, strength, known)
    ), gone AS (
      DELETE FROM service_signs AS sign WHERE source = 'seed' AND NOT EXISTS (
        SELECT FROM given WHERE (given.service_code, given.kind, given.value) = (sign.service_code, sign.kind, sign.value))
    )
    INSERT INTO service_signs AS sign (service_code, kind, value, strength, known, source)
    SELECT service_code, kind, value, strength, known, 'seed' FROM given
    ON CONFLICT (service_code, kind, value) DO UPDATE
    SET strength = excluded.strength, known = excluded.known, source = 'seed'
    WHERE sign.source <> 'staff'
      AND (sign.strength, sign.known, sign.source) IS DISTINCT FROM (excluded.strength, excluded.known, 'seed')`,
    values: {
      serviceCodes: signs.map((sign) => sign.serviceCode),
      kinds: signs.map((sign) => sign.kind),
      values: signs.map((sign) => sign.value),
      strengths: signs.map((sign) => sign.strength),
      known: signs.map((sign) => sign.known),
    },
  })
}

export async function replaceSeedIgnored(db: Db, senders: readonly string[]): Promise<void> {
  await db.query({
    text: `WITH gone AS (
      DELETE FROM ignored_senders WHERE source = 'seed' AND sender <> ALL ($1::text[])
    )
    INSERT INTO ignored_senders (sender, source) SELECT unnest($1::text[]), 'seed' ON CONFLICT (sender) DO NOTHING`,
    values: [senders],
  })
}
