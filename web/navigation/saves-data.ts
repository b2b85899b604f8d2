/** Metered and slow connections get no preloads. */
export function savesData(): boolean {
  // Not every browser implements it, and TypeScript's DOM types lack it: https://wicg.github.io/netinfo/
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } }
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '')
}
