import type { IncomingMessage } from 'node:http'

/** An unknown path below these prefixes gets a JSON 404, never a page. */
const CALL_PREFIXES = ['/api/', '/v1/', '/stubs/', '/broadcasting/', '/suppliers/', '/gateways/', '/app/', '/demo/']

export function isCallPath(pathname: string): boolean {
  return CALL_PREFIXES.some((prefix) => pathname.startsWith(prefix))
}

/**
 * Escapes the percent signs of a path that cannot be decoded, if a browser asks for a page there. Otherwise the router
 * would refuse the path before any page is rendered, and React Router would log a warning for each request.
 * `originalUrl` keeps the path as the browser sent it.
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
