import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { fieldsOfAccount, readAccountSettings } from '#server/adapters/shared/resold/account-settings.ts'
import { DIALECTS, dialects } from '../wire/dialects.ts'

const resellSettings = z.strictObject({
  /** `url`: up to and with `handler_api.php`. */
  ...fieldsOfAccount,
  key: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters without spaces'),
  dialect: z.enum(DIALECTS),
  /** What the other's prices are in. */
  currency: z.enum(CURRENCIES),
  /** Undefined: the dialect's. */
  pollSeconds: z.number().min(0.02).max(60).optional(),
  /** The part of the address of pushes that nobody guesses; undefined: none are taken. */
  intakeKey: z
    .string()
    .regex(/^[\w-]{32,128}$/, 'must be 32 to 128 letters, digits, - or _')
    .optional(),
})

export type ResellSettings = z.output<typeof resellSettings>

/** Throws one error that names every bad field, and never shows a secret's value. */
export function parseResellSettings(code: string, settings: unknown): ResellSettings {
  return readAccountSettings(code, settings, (given) => {
    const parsed = resellSettings.safeParse(given)
    if (!parsed.success) return parsed
    const { intakeKey, dialect } = parsed.data
    const isVain = intakeKey !== undefined && !dialects[dialect].bought.pushes
    return isVain ? { ...parsed, faults: [`intakeKey: a service of the dialect ${dialect} pushes nothing`] } : parsed
  })
}
