/** The protocol with role and password, the hosts, the database, and the query with its question mark. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)\/?([^?]*)(\?.*)?$/
const MAX_HOSTS = 5
const SESSIONS = {
  primary: { wanted: ['read-write', 'primary'], words: '=read-write or =primary, or leave it out: the service writes' },
  'stand-by': { wanted: ['standby', 'any'], words: '=standby, or leave it out: the service only reads there' },
}
const ESCAPE = 'escape / ? # @ in the password'

/** Returns an address for each host of a PostgreSQL address that may name several, as libpq reads it. */
export function hostUrls(address: string): [string, ...string[]] {
  const [, start, hosts = '', database, query = ''] = ADDRESS.exec(address) ?? []
  const [first, ...others] = hosts.split(',')
  if (first === undefined || others.length === 0) return [address]
  const toUrl = (host: string) => `${start}${host}/${database}${query}`
  return [toUrl(first), ...others.map(toUrl)]
}

/**
 * Returns what is wrong with a PostgreSQL address, worded to follow the name of its setting. Repeats no part of the
 * address, because a password that is not escaped looks like a host.
 */
export function flawsOf(address: string, of: keyof typeof SESSIONS = 'primary'): string[] {
  const parts = ADDRESS.exec(address)
  if (parts === null) return ['must begin with postgres:// or postgresql://']
  const [, , hosts = '', database, query = ''] = parts
  const names = hosts.split(',')
  const isBad = (name: string) => (name === '' && names.length > 1) || !isHost(name)
  const places = names.flatMap((name, place) => (isBad(name) ? [place + 1] : []))
  const flaws = places.map((place) => `must have HOST or HOST:PORT as host ${place}; ${ESCAPE}`)
  if (places.length === 0 && (database?.includes('@') === true || !isReadable(address))) {
    flaws.push(`cannot be read: ${ESCAPE}`)
  }
  if (names.length > MAX_HOSTS) flaws.push(`has ${names.length} hosts, and ${MAX_HOSTS} are the most`)
  if (database === '') flaws.push('names no database: end it with /ringpost')
  const { wanted, words } = SESSIONS[of]
  const given = new URLSearchParams(query).get('target_session_attrs')
  if (given !== null && !wanted.includes(given)) flaws.push(`must have target_session_attrs${words}`)
  return flaws
}

/** An address with a role and no host is valid for pg, and for no parser of URLs. A fragment is cut off unseen. */
function isReadable(address: string): boolean {
  return !address.includes('#') && hostUrls(address).every((url) => URL.canParse(url.replace('@/', '@local/')))
}

/** Tells whether a host with its port can be reached at all. No host means the local one. */
function isHost(name: string): boolean {
  return name === '' || (URL.canParse(`postgres://${name}/`) && !name.endsWith(':'))
}
