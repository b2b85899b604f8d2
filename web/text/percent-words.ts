/** A decimal string such as "3.5", which in Russian has a comma and a space that does not break. */
export function percentWords(percent: string, locale: string): string {
  return locale.startsWith('ru') ? `${percent.replace('.', ',')}\u00a0%` : `${percent}%`
}
