import type { Background } from '#server/background.ts'
import type { Random, ServiceClock } from '#server/clock.ts'
import type { Pool } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'
import type { Realtime } from '#server/realtime/realtime.ts'
import type { SupplierRegistry } from '#server/suppliers/registry.ts'
import type { PasswordCost } from './accounts/users/password-cost.ts'
import type { CatalogIndex } from './catalog/offers/catalog-index.ts'
import type { RentIndex } from './catalog/offers/rent-index.ts'
import type { Config } from './config/config.ts'
import type { ProviderSecrets } from './config/provider-settings.ts'
import type { ClientAddress } from './http/door/client-address.ts'
import type { Metrics } from './http/door/metrics.ts'
import type { MessageTurns } from './numbers/delivery/turns.ts'
import type { PendingMatches } from './numbers/messages/pending-matches.ts'
import type { SenderBook } from './numbers/messages/sender-book.ts'
import type { UnderWay } from './numbers/sourcing/under-way.ts'

/** Everything a verb works with, built once in main.ts and passed in first. Tests build one with their own clock and suppliers. */
export type Context = {
  config: Config
  /** Signs and encrypts; never logged. */
  secretKey: string
  /** Keys it replaced: they still open what they sealed. */
  previousSecretKeys: readonly string[]
  /** Lower in tests alone: they hash thousands. */
  passwordCost: PasswordCost
  /** Credentials at the social sign-ins that are set up; never logged. */
  providers: ProviderSecrets
  clock: ServiceClock
  random: Random
  log: Log
  db: Pool
  metrics: Metrics
  /** Who sent a request, behind the proxies that are trusted. */
  clients: ClientAddress
  catalog: CatalogIndex
  rentCatalog: RentIndex
  /** Which service a message names is judged by it; the command line's changes are seen within a second. */
  senders: SenderBook
  /** Matches that senders are learnt from, written each minute. */
  matches: PendingMatches
  suppliers: SupplierRegistry
  realtime: Realtime
  background: Background
  /** Whether this process is about to end: `/readyz` says so. */
  serving: { ending: boolean }
  /** Set by `cli buying:stop`, seen within a second. */
  buying: { stopped: boolean }
  messageTurns: MessageTurns
  /** Activations whose outcome this process is finding out right now: sweeps leave them alone. */
  reserving: UnderWay
  /** The same of rentals, and of those whose extension is under way. */
  renting: UnderWay
  /**
   * What the sweep of pre-orders has seen of the catalogue, and the time in milliseconds from which it looks in any case. One
   * that is made lets it look at once. `sweptAt`: when it ran last, so that a clock set back is noticed.
   */
  preorders: { version: number; lookAt: number; sweptAt: number }
}
