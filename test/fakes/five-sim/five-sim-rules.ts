import type { IncomingHttpHeaders } from 'node:http'

type Asked = { method: string; path: string; query: Readonly<Record<string, string>>; headers: IncomingHttpHeaders }

const NAME = '[a-z0-9][a-z0-9_-]*'
const CALLS: readonly { path: RegExp; query: Readonly<Record<string, RegExp>> }[] = [
  { path: /^\/guest\/prices$/, query: { country: new RegExp(`^${NAME}$`), product: new RegExp(`^${NAME}$`) } },
  { path: /^\/user\/profile$/, query: {} },
  {
    path: /^\/user\/orders$/,
    query: { category: /^activation$/, limit: /^\d+$/, offset: /^\d+$/, order: /^id$/, reverse: /^true$/ },
  },
  {
    path: new RegExp(`^/user/buy/activation/${NAME}/${NAME}/${NAME}$`),
    query: { maxPrice: /^\d+(\.\d{1,6})?$/, reuse: /^1$/ },
  },
  { path: new RegExp(`^/user/reuse/${NAME}/\\d{4,15}$`), query: {} },
  { path: /^\/user\/(check|finish|cancel|ban)\/\d+$/, query: {} },
]

/** Describes a mistake in a request, such as a part that is missing. Returns null if the request is right. */
export function complaintOf({ method, path, query, headers }: Asked): string | null {
  if (method !== 'GET') return `${method} ${path}`
  if (headers.accept !== 'application/json') return `${path} accepts ${headers.accept}`
  const isGuest = path.startsWith('/guest/')
  if (isGuest !== (headers.authorization === undefined))
    return `${path} with the authorization ${headers.authorization}`
  if (!isGuest && !headers.authorization?.startsWith('Bearer ')) return `${path} without a bearer`
  const call = CALLS.find((known) => known.path.test(path))
  if (call === undefined) return `there is no call ${path}`
  for (const [name, value] of Object.entries(query)) {
    if (call.query[name]?.test(value) !== true) return `${path} with ${name}=${value}`
  }
  // 5sim applies the price limit only if it chooses the operator itself.
  const isAny = path.split('/')[5] === 'any'
  if (path.startsWith('/user/buy/') && isAny !== 'maxPrice' in query)
    return `${path} with the ceiling ${query.maxPrice}`
  return null
}
