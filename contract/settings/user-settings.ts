import { z } from 'zod'
import { countryIdSchema } from '#contract/formats/whole-number.ts'
import { INTERFACE_LOCALES } from '#contract/settings/languages.ts'
import { SOUNDS } from './sounds.ts'

/** The first three settings have their names from specification 3. */
export const userSettingsSchema = z.object({
  copying_code: z.boolean(),
  confirmation_actions: z.boolean(),
  sound_new_sms: z.boolean(),
  sound: z.enum(SOUNDS),
  volume: z.number().int().min(0).max(100),
  locale: z.enum(INTERFACE_LOCALES),
  /** An IANA time zone; null means the browser's zone on pages, and UTC in mails. */
  time_zone: z.string().max(60).nullable(),
  default_service_id: z.string().min(1).max(40).nullable(),
  default_country_id: countryIdSchema.nullable(),
  /** If true, the last chosen service and country take precedence over the defaults. */
  remember_choice: z.boolean(),
  last_service_id: z.string().min(1).max(40).nullable(),
  last_country_id: countryIdSchema.nullable(),
  /** The maximum price of a number, as a decimal in the account's currency; null means no maximum. */
  max_price: z.string().max(20).nullable(),
})
export type UserSettings = z.infer<typeof userSettingsSchema>

export const userSettingsInputSchema = userSettingsSchema.partial()
export type UserSettingsInput = z.output<typeof userSettingsInputSchema>

export const FIRST_SETTINGS: Omit<UserSettings, 'locale'> = {
  copying_code: true,
  confirmation_actions: false,
  sound_new_sms: true,
  sound: 'bell',
  volume: 80,
  time_zone: null,
  default_service_id: null,
  default_country_id: null,
  remember_choice: true,
  last_service_id: null,
  last_country_id: null,
  max_price: null,
}
