import proxyAddr from '@fastify/proxy-addr'
import { CAPTCHA_ON } from '#contract/constants.ts'
import { type EnvironmentReader, LOOPBACK_HOSTS } from './environment.ts'

export type Doors = {
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are trusted. */
  trustedProxies: string[]
  /** The limit of an account, or of a network of visitors. */
  apiRequestsPerSecond: number
  /** The status of `no free phones` in the protocol of 5sim. */
  fiveSimNoPhonesStatus: number
  /** The limit of rendered pages; cached ones are free. */
  pagesPerSecond: number
  hstsSubdomains: boolean
  /** "2": registration needs a captcha, and so does a crowded sign-in. */
  captchaEnabled: string
  contactEmail: string
  /** mailto: or https://. */
  securityContact: string
  metricsHost: string
  /** The name or uid:gid that a root process changes to. */
  runAs: string | null
}

const PER_SECOND = { min: 1, max: 1_000_000 }

/** A loopback host has no mail domain, so the demo uses a reserved one. */
export function mailDomain({ hostname }: URL): string {
  return LOOPBACK_HOSTS.includes(hostname) ? 'ringpost.example' : hostname
}

export function readDoors(read: EnvironmentReader, { demo, publicUrl }: { demo: boolean; publicUrl: URL }): Doors {
  const contactEmail = read.text('CONTACT_EMAIL', `support@${mailDomain(publicUrl)}`)
  return {
    trustedProxies: readProxies(read),
    apiRequestsPerSecond: read.integer('API_REQUESTS_PER_SECOND', 100, PER_SECOND),
    fiveSimNoPhonesStatus: Number(read.oneOf('FIVE_SIM_NO_PHONES_STATUS', ['200', '400'], '200')),
    hstsSubdomains: read.flag('HSTS_SUBDOMAINS'),
    captchaEnabled: read.text('CAPTCHA_ENABLED', demo ? '0' : CAPTCHA_ON),
    contactEmail,
    securityContact: readSecurityContact(read, contactEmail),
    metricsHost: read.text('METRICS_HOST', '127.0.0.1'),
    runAs: readRunAs(read, demo),
    pagesPerSecond: read.integer('PAGES_PER_SECOND', 10, PER_SECOND),
  }
}

function readSecurityContact(read: EnvironmentReader, contactEmail: string): string {
  const contact = read.text('SECURITY_CONTACT', `mailto:${contactEmail}`)
  if (!/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(contact)) {
    read.problem('SECURITY_CONTACT', 'must begin with mailto: or https://')
  }
  return contact
}

function readRunAs(read: EnvironmentReader, demo: boolean): string | null {
  const runAs = read.optionalText('RUN_AS')
  if (runAs === null || !demo) return runAs
  read.problem('RUN_AS', 'is for the real service: the demo runs as whoever starts it')
  return null
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
    // compile throws for anything else.
    return false
  }
}
