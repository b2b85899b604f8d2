import type { Config } from '#server/house/config/config.ts'
import { transportSecurity } from '#server/house/http/door/transport-security.ts'

const HOST_PATTERN = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i

/**
 * Returns the headers of a page. The content security policy allows no inline script and needs no nonce, so that a page
 * can be cached as bytes. `withCounters` allows the configured counter snippets on visitors' pages, each by its hash.
 */
export function pageHeaders(config: Config, host: string, withCounters = false): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(config, host, withCounters),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    'cross-origin-opener-policy': 'same-origin',
    ...transportSecurity(config),
  }
}

function contentSecurityPolicy(config: Config, host: string, withCounters: boolean): string {
  const { snippets, hosts } = withCounters ? config.counter : { snippets: [], hosts: [] }
  const hashes = snippets.map(({ hash }) => `'${hash}'`)
  const reports = config.sentryDsn === null ? [] : [new URL(config.sentryDsn).origin]
  return [
    `default-src 'self'`,
    ['script-src', `'self'`, ...hashes, ...hosts].join(' '),
    `style-src 'self'`,
    `style-src-attr 'unsafe-inline'`,
    ['img-src', `'self'`, 'data:', 'blob:', ...hosts].join(' '),
    ['connect-src', `'self'`, ...socketOrigins(config, host), ...reports, ...hosts].join(' '),
    `worker-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

/** Lists the WebSocket origins, because not every browser counts sockets of the same host as 'self'. */
function socketOrigins(config: Config, host: string): string[] {
  if (!HOST_PATTERN.test(host) || !URL.canParse(`http://${host}`)) return []
  const secure = config.publicUrl.protocol === 'https:'
  const { hostname } = new URL(`http://${host}`)
  const tls = secure || config.realtime.tlsCertFile !== null
  const realtime = `${tls ? 'wss' : 'ws'}://${hostname}:${config.realtime.port}`
  const named = config.realtime.publicUrl === null ? [] : [config.realtime.publicUrl.origin]
  return [`${secure ? 'wss' : 'ws'}://${host}`, realtime, ...named]
}
