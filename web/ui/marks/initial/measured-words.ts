/** 0.943 → "94%", rounded down: 100 % means all. The spaces of Intl.NumberFormat differ between Node and browsers. */
export function formatPercent(share: number, locale: string): string {
  // Floating point makes 0.29 * 100 slightly less than 29.
  const percent = Math.floor(share * 100 + 1e-9)
  return locale.startsWith('ru') ? `${percent}\u00a0%` : `${percent}%`
}

/** 12345 → "12 345" in Russian, "12,345" in English. */
export function formatCount(count: number, locale: string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, locale.startsWith('ru') ? '\u00a0' : ',')
}
