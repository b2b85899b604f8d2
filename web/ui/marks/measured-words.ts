/**
 * 0.943 → "94 %" in Russian, "94%" in English, rounded down so that 100 % means every single one. Written out instead of
 * Intl.NumberFormat, whose spaces differ between Node and browsers.
 */
export function formatPercent(share: number, locale: string): string {
  // A share such as 0.29 is 28.999… when multiplied.
  const percent = Math.floor(share * 100 + 1e-9)
  return locale.startsWith('ru') ? `${percent}\u00a0%` : `${percent}%`
}

/** 12345 → "12 345" in Russian, "12,345" in English. */
export function formatCount(count: number, locale: string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, locale.startsWith('ru') ? '\u00a0' : ',')
}
