import type { SiteSettings } from '#contract/user.ts'

export type LiveAddress = { host: string; port: number; secure: boolean }

/** A sessionStorage key, set if a firewall or a proxy blocks the live port in this tab. */
const KEY = 'live-by-own-origin'

/**
 * Returns the operator's URL of the live socket, or else the live port of this host (specification 7). Returns null if
 * the live socket is at the page's own origin.
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

/** Returns the live socket of the page's own origin, whose port is known to be open. */
export function ownLiveAddress(): LiveAddress {
  const secure = location.protocol === 'https:'
  const port = location.port === '' ? (secure ? 443 : 80) : Number(location.port)
  return { host: location.hostname, port, secure }
}

export function rememberOwnOrigin(): void {
  sessionStorage.setItem(KEY, '1')
}
