import { PROVIDERS, type Provider } from '#contract/account.ts'
import { type EnvironmentReader, LOOPBACK_HOSTS } from './environment.ts'

/** A public app of VK has an empty `clientSecret`. `issuer` overrides the provider's address (tests, a proxy). */
export type ProviderSecret = { clientId: string; clientSecret: string; issuer: string | null }
export type ProviderSecrets = Partial<Record<Provider, ProviderSecret>>

export function readProviders(read: EnvironmentReader): ProviderSecrets {
  const providers: ProviderSecrets = {}
  for (const provider of PROVIDERS) {
    const found = readProvider(read, provider)
    if (found !== null) providers[provider] = found
  }
  return providers
}

/** A provider without credentials is not offered. VK's public apps have no secret. */
function readProvider(read: EnvironmentReader, provider: Provider): ProviderSecret | null {
  const name = provider.toUpperCase()
  const clientId = read.optionalText(`${name}_CLIENT_ID`)
  const clientSecret = read.optionalText(`${name}_CLIENT_SECRET`)
  if (clientId === null && clientSecret === null) return null
  if (clientId === null || (clientSecret === null && provider !== 'vkontakte')) {
    read.problem(`${name}_CLIENT_ID`, `and ${name}_CLIENT_SECRET must be set together`)
    return null
  }
  const issuer = read.optionalText(`${name}_ISSUER`)
  if (issuer !== null && !isSafeIssuer(issuer)) {
    read.problem(`${name}_ISSUER`, 'must be an address that begins with https:// (http:// on this machine alone)')
  }
  return { clientId, clientSecret: clientSecret ?? '', issuer }
}

function isSafeIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname))
}
