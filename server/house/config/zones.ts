import { CURRENCIES, type Currency } from '#contract/money.ts'
import { INTERFACE_LOCALES, type InterfaceLocale } from '#contract/settings/languages.ts'
import type { EnvironmentReader } from './environment.ts'

export type Zone = {
  name: string
  hosts: string[]
  currency: Currency
  locales: InterfaceLocale[]
  indexing: boolean
  /** The keys of the zone's payment systems in order. Null means all systems that take the currency. */
  systems: string[] | null
  defaultSystem: string | null
}

export function readZones(
  read: EnvironmentReader,
  given: { publicUrl: URL; locales: InterfaceLocale[]; indexing: boolean },
): Zone[] {
  const text = read.text('ZONES')
  const standard: Zone = {
    name: 'ru',
    hosts: [given.publicUrl.hostname],
    currency: 'rub',
    locales: given.locales,
    indexing: given.indexing,
    systems: null,
    defaultSystem: null,
  }
  if (text === null) return [standard]
  try {
    const zones = (JSON.parse(text) as unknown[]).map((entry) => parseZone(entry, given))
    if (zones.length === 0) throw new Error('it is empty')
    return zones
  } catch (error) {
    read.breaks('ZONES', `: ${error instanceof Error ? error.message : String(error)}`)
    return [standard]
  }
}

function parseZone(entry: unknown, given: { locales: InterfaceLocale[]; indexing: boolean }): Zone {
  if (typeof entry !== 'object' || entry === null) throw new Error('an entry is not an object')
  const { name, hosts, currency, locales, indexing, systems, default_system } = entry as Record<string, unknown>
  if (typeof name !== 'string' || !/^[a-z0-9-]{1,20}$/.test(name)) throw new Error('name is not a short word')
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === 'string')) throw new Error('hosts is not a list')
  const known = CURRENCIES.find((one) => one === currency)
  if (known === undefined) throw new Error(`currency is none of ${CURRENCIES.join(', ')}`)
  const wanted: unknown[] = Array.isArray(locales) ? locales : given.locales
  const chosen = wanted.map((one) => INTERFACE_LOCALES.find((locale) => locale === one))
  if (chosen.length === 0 || chosen.includes(undefined)) {
    throw new Error(`locales must be of ${INTERFACE_LOCALES.join(', ')}`)
  }
  return {
    name,
    hosts,
    currency: known,
    locales: chosen.filter((locale) => locale !== undefined),
    indexing: typeof indexing === 'boolean' ? indexing : given.indexing,
    systems: readSystems(systems),
    defaultSystem: typeof default_system === 'string' ? default_system : null,
  }
}

function readSystems(systems: unknown): string[] | null {
  if (systems === undefined) return null
  if (Array.isArray(systems) && systems.every((key) => typeof key === 'string')) return systems
  throw new Error('systems is not a list of keys')
}
