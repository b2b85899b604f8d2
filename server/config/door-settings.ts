import proxyAddr from '@fastify/proxy-addr'
import { type EnvironmentReader, LOOPBACK_HOSTS } from './environment.ts'

/** Who comes in, whose word is taken for it, and with whose rights we serve them. */
export type Doors = {
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are believed. */
  trustedProxies: string[]
  /** Calls of one account, or of the visitors of one network. */
  apiRequestsPerSecond: number
  /** Pages that one network of visitors, or one account, may have made; kept ones are free. */
  pagesPerSecond: number
  /** Whether browsers are told that all subdomains of our host are on https, too. */
  hstsSubdomains: boolean
  /** "2": registering asks for a riddle, and a crowded sign-in too. */
  captchaEnabled: string
  /** Where people write to, on the pages. */
  contactEmail: string
  /** Where somebody who found a hole writes to: mailto: or https://. */
  securityContact: string
  /** Of the metrics' own port. */
  metricsHost: string
  /** A name or uid:gid, whom the process becomes when root starts it. */
  runAs: string | null
}

const PER_SECOND = { min: 1, max: 1_000_000 }

/** Where mail for this site goes. This machine has no mail: in the demo it is a name that nobody owns. */
export function mailDomain({ hostname }: URL): string {
  return LOOPBACK_HOSTS.includes(hostname) ? 'ringpost.example' : hostname
}

export function readDoors(read: EnvironmentReader, { demo, publicUrl }: { demo: boolean; publicUrl: URL }): Doors {
  const contactEmail = read.text('CONTACT_EMAIL', `support@${mailDomain(publicUrl)}`)
  return {
    trustedProxies: readProxies(read),
    apiRequestsPerSecond: read.integer('API_REQUESTS_PER_SECOND', 100, PER_SECOND),
    hstsSubdomains: read.flag('HSTS_SUBDOMAINS'),
    captchaEnabled: read.text('CAPTCHA_ENABLED', demo ? '0' : '2'),
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
    // It throws for what it cannot read.
    return false
  }
}
