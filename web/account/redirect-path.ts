/**
 * Where to go after sign-in: the path that was wanted, only if it is one of this site. `//host`, `/\host`, other schemes
 * and addresses with control characters in them, which browsers drop before they read the rest, lead home.
 */
export function redirectPath(wanted: string | null | undefined): string | null {
  if (!wanted?.startsWith('/')) return null
  const base = 'http://this.site'
  if (!URL.canParse(wanted, base)) return null
  const url = new URL(wanted, base)
  return url.origin === base ? url.pathname + url.search + url.hash : null
}
