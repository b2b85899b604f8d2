import type { LiveNames } from '#contract/live-events.ts'

/** The names of Telegram and Kazakhstan, as they go with the record of a live event. */
export const LIVE_NAMES: LiveNames = {
  ru: { service: 'Telegram', country: 'Казахстан' },
  en: { service: 'Telegram', country: 'Kazakhstan' },
}
