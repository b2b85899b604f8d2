import proxyAddr from '@fastify/proxy-addr'
import { REALTIME_PORT } from '#contract/constants.ts'
import { checked, flag, integer, judged, LOOPBACK_HOSTS, oneOf, partsOf, type Table, text } from './kinds.ts'

const PER_SECOND = [1, 1_000_000] as const
const PROXIES_RULE = 'be addresses or ranges such as 10.0.0.0/8'
const LAST_PORT = 65_535

export const DOOR_SETTINGS = {
  PORT: [integer(3000, 0, LAST_PORT), 'HTTP listens on this port.'],
  HOST: [
    text('127.0.0.1'),
    'HTTP listens on this address. On a loopback one the demo calls itself `localhost`, because passkeys belong to names.',
  ],
  TRUSTED_PROXIES: [
    judged<string[]>({
      must: PROXIES_RULE,
      standard: [],
      parse: (given, problem) => {
        const wrong = partsOf(given).filter((proxy) => !isAddressOrRange(proxy))
        if (wrong.length === 0) return partsOf(given)
        return problem(`must ${PROXIES_RULE}: ${wrong.join(', ')}`)
      },
    }),
    'The server believes the `X-Forwarded-*` of these, for pages, calls and live sockets on both ports.',
  ],
  HSTS_SUBDOMAINS: [flag(), '`1` tells browsers on https that all subdomains of the host are on https, too.'],
  RUN_AS: [
    text(null),
    '[Root becomes](operations/install.md#as-root) this user once ports are open: a name, or `uid:gid`.',
  ],
  METRICS_PORT: [integer(null, 0, LAST_PORT), '[Metrics](metrics.md) are served on this port, or nowhere.'],
  METRICS_HOST: [text('127.0.0.1'), 'The port of metrics listens on this address.'],
  REALTIME_PORT: [integer(REALTIME_PORT, 0, LAST_PORT), 'Live sockets have this port of their own.'],
  REALTIME_PUBLIC_URL: [
    checked<URL | null>({
      must: 'be where live sockets are, without a path: wss://live.example.org',
      standard: null,
      parse: socketUrl,
    }),
    "Browsers find live sockets here. Without it they try `REALTIME_PORT` of the page's host, then the page's origin.",
  ],
  REALTIME_TLS_CERT: [
    text(null),
    'This PEM file has the certificate of the live port, and needs the key. A renewed one is taken up within a minute.',
  ],
  REALTIME_TLS_KEY: [text(null), 'This PEM file has the key of that certificate.'],
  REALTIME_APP_KEY: [text('ringpost'), 'Clients name this Pusher key.'],
  API_REQUESTS_PER_SECOND: [
    integer(100, ...PER_SECOND),
    'All API keys of one account together make so many calls by one protocol. Its own pages have as many again.',
  ],
  PAGES_PER_SECOND: [
    integer(10, ...PER_SECOND),
    'So many pages are made for one account or the visitors of one network; ten times as many at once. Kept ones are free.',
  ],
  FIVE_SIM_NO_PHONES_STATUS: [
    oneOf(['200', '400'], '200'),
    "[5sim's protocol](api/five-sim.md#http-status) says `no free phones` with this status. More programs understand 400.",
  ],
} satisfies Table

function socketUrl(given: string): URL | undefined {
  const url = URL.parse(given)
  return url !== null && /^wss?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' ? url : undefined
}

function isAddressOrRange(given: string): boolean {
  try {
    proxyAddr.compile(given)
    return true
  } catch {
    // `compile` throws if the setting is not a list of IP addresses.
    return false
  }
}

/** Returns the domain of our mail addresses. A loopback host has none, so the demo uses a reserved domain. */
export function mailDomain({ hostname }: URL): string {
  return LOOPBACK_HOSTS.includes(hostname) ? 'ringpost.example' : hostname
}

/**
 * Returns the host name for links to the service. Cookies belong to one host, so mails and the welcome page must use
 * the same. A local service is called `localhost`, because passkeys need a name.
 */
export function ownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || LOOPBACK_HOSTS.includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
