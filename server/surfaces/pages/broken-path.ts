import type { IncomingMessage } from 'node:http'

/** An unknown path of these is a JSON 404, never a page. */
const CALL_PREFIXES = ['/api/', '/v1/', '/stubs/', '/broadcasting/', '/suppliers/', '/gateways/', '/app/', '/demo/']

export function isCallPath(pathname: string): boolean {
  return CALL_PREFIXES.some((prefix) => pathname.startsWith(prefix))
}

/**
 * The router refuses a path that cannot be decoded before a page is asked. A person's passes with its percent signs
 * escaped, and is rendered so: React Router would warn of it on each request. `originalUrl` stays as it came.
 */
export function letBrokenPathPass({ url = '/', headers }: IncomingMessage): string {
  const [path = '/', ...query] = url.split('?')
  if (isDecodable(path) || isCallPath(path) || headers.accept?.includes('text/html') !== true) return url
  return [path.replaceAll('%', '%25'), ...query].join('?')
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}
