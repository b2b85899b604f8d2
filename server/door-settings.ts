import proxyAddr from '@fastify/proxy-addr'
import type { EnvironmentReader } from './environment.ts'

/** Who comes in, and whose word is taken for it. */
export type Doors = {
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are believed. */
  trustedProxies: string[]
}

export function readDoors(read: EnvironmentReader): Doors {
  return { trustedProxies: readProxies(read) }
}

function readProxies(read: EnvironmentReader): string[] {
  const proxies = read.list('TRUSTED_PROXIES')
  const wrong = proxies.filter((proxy) => !isAddressOrRange(proxy))
  if (wrong.length > 0)
    read.problem('TRUSTED_PROXIES', `must be addresses or ranges such as 10.0.0.0/8: ${wrong.join(', ')}`)
  return wrong.length > 0 ? [] : proxies
}

function isAddressOrRange(text: string): boolean {
  try {
    proxyAddr.compile(text)
    return true
  } catch {
    // It throws for what it cannot read.
    return false
  }
}
