/** Formats 0.943 as "94%", rounded down, because 100 % means all. The spaces of Intl differ between runtimes. */
export function formatPercent(share: number, locale: string): string {
  // The small addend corrects floating point, which makes 0.29 * 100 slightly less than 29.
  const percent = Math.floor(share * 100 + 1e-9)
  return locale.startsWith('ru') ? `${percent}\u00a0%` : `${percent}%`
}

/** Formats 12345 as "12 345" in Russian and "12,345" in English. */
export function formatCount(count: number, locale: string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, locale.startsWith('ru') ? '\u00a0' : ',')
}
