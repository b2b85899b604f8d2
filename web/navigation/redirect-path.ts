/** Returns a path of this site, null for other sites. Browsers drop control characters before parsing `/\host`. */
export function redirectPath(wanted: string | null | undefined): string | null {
  if (!wanted?.startsWith('/')) return null
  const base = 'http://this.site'
  if (!URL.canParse(wanted, base)) return null
  const url = new URL(wanted, base)
  return url.origin === base ? url.pathname + url.search + url.hash : null
}
