import type { LiveNames } from '#contract/live-events.ts'

export const LIVE_NAMES: LiveNames = {
  ru: { service: 'Telegram', country: 'Казахстан' },
  en: { service: 'Telegram', country: 'Kazakhstan' },
}
