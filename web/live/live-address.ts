import type { SiteSettings } from '#contract/user.ts'

/** Where a socket is opened. */
export type LiveAddress = { host: string; port: number; secure: boolean }

/** In this tab the live port did not open: a firewall, or a proxy that forwards one port alone. */
const KEY = 'live-by-own-origin'

/**
 * Where this tab looks for live events first: the address that the operator names, else the live port of this host (product.md
 * section 7). null: on the page's own origin, because the live port did not open before or is any free one.
 */
export function firstLiveAddress({ publicUrl, port, tls }: SiteSettings['realtime']): LiveAddress | null {
  if (publicUrl !== '') {
    const url = new URL(publicUrl)
    const secure = url.protocol === 'wss:' || url.protocol === 'https:'
    return { host: url.hostname, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port), secure }
  }
  if (port === 0 || sessionStorage.getItem(KEY) !== null) return null
  return { host: location.hostname, port, secure: tls || location.protocol === 'https:' }
}

/** The page's own origin serves the same socket: its port is open, or there would be no page. */
export function ownLiveAddress(): LiveAddress {
  const secure = location.protocol === 'https:'
  const port = location.port === '' ? (secure ? 443 : 80) : Number(location.port)
  return { host: location.hostname, port, secure }
}

export function rememberOwnOrigin(): void {
  sessionStorage.setItem(KEY, '1')
}
