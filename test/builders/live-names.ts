import type { LiveNames } from '#contract/live-events.ts'

/** The names of Telegram and Kazakhstan that a live event carries beside its record. */
export const LIVE_NAMES: LiveNames = {
  ru: { service: 'Telegram', country: 'Казахстан' },
  en: { service: 'Telegram', country: 'Kazakhstan' },
}
