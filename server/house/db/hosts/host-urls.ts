/** The protocol with role and password, the hosts, the database, and the query with its question mark. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)\/?([^?]*)(\?.*)?$/
const MAX_HOSTS = 5
const WRITING = ['read-write', 'primary']

/** Returns an address for each host of a PostgreSQL address that may name several, as libpq reads it. */
export function hostUrls(address: string): [string, ...string[]] {
  const [, start, hosts = '', database, query = ''] = ADDRESS.exec(address) ?? []
  const [first, ...others] = hosts.split(',')
  if (first === undefined || others.length === 0) return [address]
  const toUrl = (host: string) => `${start}${host}/${database}${query}`
  return [toUrl(first), ...others.map(toUrl)]
}

/** Returns what is wrong with a PostgreSQL address, worded to follow the name of its setting. */
export function flawsOf(address: string): string[] {
  const parts = ADDRESS.exec(address)
  if (parts === null) return ['must begin with postgres:// or postgresql://']
  const [, , hosts = '', database, query = ''] = parts
  const names = hosts.split(',')
  const bad = names.filter((name) => (name === '' && names.length > 1) || !isHost(name))
  const flaws = bad.map((name) => `has a host "${name}", which must be HOST or HOST:PORT`)
  if (names.length > MAX_HOSTS) flaws.push(`has ${names.length} hosts, and ${MAX_HOSTS} are the most`)
  if (database === '') flaws.push('names no database: end it with /ringpost')
  const wanted = new URLSearchParams(query).get('target_session_attrs')
  if (wanted !== null && !WRITING.includes(wanted)) {
    flaws.push(`must have target_session_attrs=read-write or none: the service writes`)
  }
  return flaws
}

/** Tells whether a host with its port can be reached at all. No host means the local one. */
function isHost(name: string): boolean {
  return name === '' || (URL.canParse(`postgres://${name}/`) && !name.endsWith(':'))
}
