import { ACCOUNT_SETTINGS } from './account-settings.ts'
import { ALARM_SETTINGS } from './alarm-settings.ts'
import { DOOR_SETTINGS } from './door-settings.ts'
import type { Row } from './kinds.ts'
import { NUMBER_SETTINGS } from './number-settings.ts'
import { OUTLET_SETTINGS } from './outlet-settings.ts'
import { PROGRAMME_SETTINGS } from './programme-settings.ts'
import { PROVIDER_SETTINGS } from './provider-settings.ts'
import { REFERRAL_SETTINGS } from './referral-settings.ts'
import { SERVICE_SETTINGS } from './service-settings.ts'
import { TELEGRAM_SETTINGS } from './telegram-settings.ts'

const TABLE = {
  ...SERVICE_SETTINGS,
  ...DOOR_SETTINGS,
  ...OUTLET_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...PROVIDER_SETTINGS,
  ...NUMBER_SETTINGS,
  ...PROGRAMME_SETTINGS,
  ...REFERRAL_SETTINGS,
  ...TELEGRAM_SETTINGS,
  ...ALARM_SETTINGS,
}

export type SettingName = keyof typeof TABLE
export type Values = { [N in SettingName]: (typeof TABLE)[N] extends Row<infer T> ? T : never }

export const SETTINGS: { readonly [N in SettingName]: Row<Values[N]> } = TABLE
/** The names of all settings. The cast is needed because `Object.keys` loses the type of the names. */
export const SETTING_NAMES = Object.keys(TABLE) as SettingName[]
