/** Returns true on metered and slow connections, which get no preloads. */
export function savesData(): boolean {
  // Not every browser implements the connection API, and TypeScript's DOM types lack it:
  // https://wicg.github.io/netinfo/
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } }
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '')
}
