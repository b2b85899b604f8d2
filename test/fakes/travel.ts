/** The maximum number of redirects, which ends a redirect loop. */
const MAX_HOPS = 10

/** Follows redirects with cookies, as a browser does, until an address in `ends`. Returns that address's query. */
export async function travel(start: string, ends: readonly string[]): Promise<Record<string, string>> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if (ends.includes(`${url.origin}${url.pathname}`)) return Object.fromEntries(url.searchParams)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`)
    await response.body?.cancel()
    url = new URL(location, url)
  }
  throw new Error(`no end after ${MAX_HOPS} redirects`)
}
