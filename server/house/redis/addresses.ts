/** The protocol, the credentials with their `@`, the hosts, and the rest: a database's number, or Sentinel's name. */
const ADDRESS = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/((?:[^/?#]*@)?)([^/?#@]+)(?:\/([\w.-]*))?$/
const MAX_HOSTS = 9
const REDIS_PORT = 6379
const SENTINEL_PORT = 26_379

export type RedisPlace = { host: string; port: number }

/** The address of a server, of servers that Sentinel finds under a name, or of a cluster. */
export type RedisAddress = {
  kind: 'one' | 'sentinel' | 'cluster'
  places: [RedisPlace, ...RedisPlace[]]
  isTls: boolean
  username: string | undefined
  password: string | undefined
  /** The number of the database; always 0 in a cluster. */
  database: number
  /** The name of the servers that Sentinel watches. */
  name: string
}

/** Parses an address of Redis. Returns undefined if it is malformed. */
export function parseRedisAddress(given: string): RedisAddress | undefined {
  const parts = ADDRESS.exec(given)
  if (parts === null) return undefined
  const [, tls, form, credentials = '', hosts = '', rest = ''] = parts
  const kind = form === 'sentinel' || form === 'cluster' ? form : 'one'
  const places = hosts.split(',').flatMap((host) => placeOf(host, kind) ?? [])
  const [first, ...others] = places
  if (first === undefined || places.length !== hosts.split(',').length || places.length > MAX_HOSTS) return undefined
  if (kind === 'one' && (others.length > 0 || !/^\d{0,2}$/.test(rest))) return undefined
  if ((kind === 'cluster' && rest !== '') || (kind === 'sentinel' && rest === '')) return undefined
  const { username, password } = new URL(`redis://${credentials}host`)
  return {
    kind,
    places: [first, ...others],
    isTls: tls === 's',
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: kind === 'one' ? Number(rest) : 0,
    name: rest,
  }
}

function placeOf(host: string, kind: RedisAddress['kind']): RedisPlace | undefined {
  const url = URL.parse(`redis://${host}`)
  if (url === null || url.hostname === '' || host.endsWith(':')) return undefined
  const standard = kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? standard : Number(url.port) }
}
