import { PROVIDERS, type Provider } from '#contract/account.ts'
import { type EnvironmentReader, LOOPBACK_HOSTS } from './environment.ts'

/**
 * Our credentials at a provider. `clientSecret` is empty for a public app of VK. `issuer`: its address, when it is not
 * the provider's own (tests, a proxy).
 */
export type ProviderSecret = { clientId: string; clientSecret: string; issuer: string | null }
export type ProviderSecrets = Partial<Record<Provider, ProviderSecret>>

/** Social sign-ins that are set up. */
export function readProviders(read: EnvironmentReader): ProviderSecrets {
  const providers: ProviderSecrets = {}
  for (const provider of PROVIDERS) {
    const found = readProvider(read, provider)
    if (found !== null) providers[provider] = found
  }
  return providers
}

/** `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET` and so on. A provider without them is not offered. VK's public apps have no secret. */
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
