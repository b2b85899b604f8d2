import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { fieldsOfAccount, readAccountSettings } from '#server/adapters/shared/resold/account-settings.ts'
import { DIALECTS, dialects } from '../wire/dialects.ts'

const resellSettings = z.strictObject({
  /** The setting `url` goes up to and includes `handler_api.php`. */
  ...fieldsOfAccount,
  key: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters without spaces'),
  dialect: z.enum(DIALECTS),
  currency: z.enum(CURRENCIES),
  /** The interval between polls in seconds. Undefined means the dialect's interval. */
  pollSeconds: z.number().min(0.02).max(60).optional(),
  /** The secret part of the URL that receives pushes. Undefined means that pushes are not accepted. */
  intakeKey: z
    .string()
    .regex(/^[\w-]{32,128}$/, 'must be 32 to 128 letters, digits, - or _')
    .optional(),
})

export type ResellSettings = z.output<typeof resellSettings>

/** Reads the settings. Throws one error that names every bad field and never shows a secret. */
export function parseResellSettings(code: string, settings: unknown): ResellSettings {
  return readAccountSettings(code, settings, (given) => {
    const parsed = resellSettings.safeParse(given)
    if (!parsed.success) return parsed
    const { intakeKey, dialect } = parsed.data
    const isVain = intakeKey !== undefined && !dialects[dialect].bought.pushes
    return isVain ? { ...parsed, faults: [`intakeKey: a service of the dialect ${dialect} pushes nothing`] } : parsed
  })
}
