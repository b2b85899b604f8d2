/** Returns true on metered and slow connections, on which nothing is preloaded. */
export function savesData(): boolean {
  // The cast is needed, because TypeScript and some browsers lack the connection API: https://wicg.github.io/netinfo/
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } }
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '')
}
