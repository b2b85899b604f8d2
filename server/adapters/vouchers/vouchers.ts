import { z } from 'zod'
import { MINUTE } from '#contract/time.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'
import type { Gateway, GatewayRow } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'

const settingsSchema = z.strictObject({ systems: systemsSchema })
/** A voucher has its own amount, so any amount is allowed. */
const ANY_AMOUNT = { minMicros: 1n, maxMicros: 1_000_000_000_000n }

/** Accepts voucher codes made in bulk. Entering a code credits its amount (payments/redeem-voucher.ts). */
export function createVouchers(_ctx: Context, row: GatewayRow): Gateway {
  const settings = readSettings(settingsSchema, row.settings)
  return {
    id: row.id,
    code: row.code,
    systems: describeSystems(row.code, settings.systems, [
      {
        suffix: '',
        form: 'voucher',
        mark: 'voucher',
        names: { en: 'Voucher', ru: 'Ваучер' },
        limits: { rub: ANY_AMOUNT, usd: ANY_AMOUNT },
        minutes: 0,
        lifetimeMs: MINUTE,
        isCard: false,
      },
    ]),
    begin: async () => ({ outcome: 'refused', reason: 'a voucher is redeemed by its code' }),
    fetch: async () => null,
  }
}
