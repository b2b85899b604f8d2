import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { fieldsOfAccount, readAccountSettings } from '../resold/account-settings.ts'
import { DIALECTS } from './dialects.ts'

const resellSettings = z.strictObject({
  /** `url`: up to and with `handler_api.php`. */
  ...fieldsOfAccount,
  key: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters without spaces'),
  dialect: z.enum(DIALECTS),
  /** What the other's prices are in. */
  currency: z.enum(CURRENCIES),
  /** Undefined: the dialect's. */
  pollSeconds: z.number().min(0.02).max(60).optional(),
})

export type ResellSettings = z.output<typeof resellSettings>

export function parseResellSettings(code: string, settings: unknown): ResellSettings {
  return readAccountSettings(code, settings, (given) => resellSettings.safeParse(given))
}
