/** Returns true on metered and slow connections, which get no preloads. */
export function savesData(): boolean {
  // TypeScript and some browsers lack the connection API: https://wicg.github.io/netinfo/
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } }
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '')
}
