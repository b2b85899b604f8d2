import { createHash } from 'node:crypto'
import { z } from 'zod'
import { MINUTE } from '#contract/time.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'
import type { Gateway, GatewayRow } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { readableCode } from '#server/house/readable-code.ts'

const text = z.strictObject({ en: z.string().min(1).max(2_000), ru: z.string().min(1).max(2_000) })
const settingsSchema = z.strictObject({
  systems: systemsSchema,
  text,
  rows: z
    .array(z.strictObject({ label: text, value: z.string().min(1).max(200) }))
    .min(1)
    .max(10),
})

const THREE_DAYS_MINUTES = 3 * 24 * 60
const REFERENCE_LENGTH = 8

/** Accepts bank transfers by hand. The payer states a reference, and staff confirm money by `payment:settle`. */
export function createTransfer(ctx: Context, row: GatewayRow): Gateway {
  const settings = readSettings(settingsSchema, row.settings)
  return {
    id: row.id,
    code: row.code,
    systems: describeSystems(row.code, settings.systems, [
      {
        suffix: '',
        form: 'instructions',
        mark: 'bank',
        names: { en: 'Bank transfer', ru: 'Банковский перевод' },
        limits: {
          rub: { minMicros: 500_000_000n, maxMicros: 1_000_000_000_000n },
          usd: { minMicros: 10_000_000n, maxMicros: 10_000_000_000n },
        },
        minutes: 24 * 60,
        lifetimeMs: THREE_DAYS_MINUTES * MINUTE,
        isCard: false,
      },
    ]),
    async begin({ transactionId, locale }) {
      const reference = referenceOf(transactionId)
      const rows = settings.rows.map(({ label, value }) => ({ label: label[locale], value }))
      const guidance = { form: 'instructions', reference, text: settings.text[locale], rows } as const
      return { outcome: 'begun', providerId: reference, guidance }
    },
    // Only staff know whether money arrived, and their confirmation makes the deposit, so no deposits are read here.
    async fetch({ expiresAt }) {
      const isOver = expiresAt <= ctx.clock.now()
      return { progress: isOver ? 'expired' : 'pending', deposits: [], reversals: [] }
    },
  }
}

/**
 * Returns the reference that a payer must state, always equal for a payment. A unique index refuses a collision of its
 * 40 bits.
 */
function referenceOf(transactionId: string): string {
  return readableCode(createHash('sha256').update(transactionId).digest().subarray(0, REFERENCE_LENGTH))
}
