/** Formats a decimal such as "3.5" as a percentage. Russian has a comma and a no-break space. */
export function percentWords(percent: string, locale: string): string {
  return locale.startsWith('ru') ? `${percent.replace('.', ',')}\u00a0%` : `${percent}%`
}
