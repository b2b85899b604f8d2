import { wholePercent } from '#contract/formats/percent.ts'

/** Formats 0.943 as "94%". The spaces of Intl differ between runtimes. */
export function formatPercent(share: number, locale: string): string {
  const percent = wholePercent(share)
  return locale.startsWith('ru') ? `${percent}\u00a0%` : `${percent}%`
}

/** Formats 12345 as "12 345" in Russian and "12,345" in English. */
export function formatCount(count: number, locale: string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, locale.startsWith('ru') ? '\u00a0' : ',')
}
