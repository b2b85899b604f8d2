import type { Background } from '#server/background.ts'
import type { Random, ServiceClock } from '#server/clock.ts'
import type { Pool } from '#server/db/pool.ts'
import type { GatewayRegistry } from '#server/gateways/registry.ts'
import type { Log } from '#server/log.ts'
import type { Realtime } from '#server/realtime/realtime.ts'
import type { SupplierRegistry } from '#server/suppliers/registry.ts'
import type { KeyCallLog } from './accounts/api-keys/call-log.ts'
import type { PasswordCost } from './accounts/users/password-cost.ts'
import type { HealthBook } from './catalog/health/health-book.ts'
import type { CatalogIndex } from './catalog/offers/catalog-index.ts'
import type { RentIndex } from './catalog/offers/rent-index.ts'
import type { SupplierLists } from './catalog/offers/supplier-lists.ts'
import type { RouteBook } from './catalog/routing/route-book.ts'
import type { Config } from './config/config.ts'
import type { ProviderSecrets } from './config/provider-settings.ts'
import type { ClientAddress } from './http/door/client-address.ts'
import type { Metrics } from './http/door/metrics.ts'
import type { MessageTurns } from './numbers/delivery/turns.ts'
import type { PlayRoom } from './numbers/limits/play-room.ts'
import type { UnwantedBook } from './numbers/limits/unwanted-book.ts'
import type { PendingMatches } from './numbers/messages/pending-matches.ts'
import type { SenderBook } from './numbers/messages/sender-book.ts'
import type { UnderWay } from './numbers/sourcing/under-way.ts'
import type { EventIntake } from './payments/events/event-intake.ts'
import type { PaymentChecks } from './payments/payment-checks.ts'
import type { Notice } from './site/notices/queries.ts'
import type { Bot } from './telegram/bot.ts'
import type { WebhookPost } from './webhooks/sending/post.ts'

/** What the sandbox has of its own: nothing learnt, counted or sold there reaches the real service. */
export type SandboxParts = Pick<
  Context,
  'catalog' | 'rentCatalog' | 'routes' | 'health' | 'unwanted' | 'matches' | 'metrics' | 'messageTurns'
> & {
  /** How many numbers all its accounts have open. */
  room: PlayRoom
  /** null: it is not at work. */
  supplierId: number | null
  /** Gives it what it sells, once: with the first key to it, because until then it shall cost nothing. */
  fill: () => Promise<void>
  /** Which rules and rates its prices are of; null: it is not filled. */
  pricedBy: string | null
}

/** Built once by boot/build-context.ts; tests build their own. */
export type Context = {
  config: Config
  secretKey: string
  /** Earlier keys still open what they sealed. */
  previousSecretKeys: readonly string[]
  /** Tests lower it, because they hash thousands. */
  passwordCost: PasswordCost
  providers: ProviderSecrets
  /** null: no bot. */
  telegram: Bot | null
  /** It signs what ALARM_WEBHOOK is sent. */
  alarmSecret: string | null
  clock: ServiceClock
  random: Random
  log: Log
  db: Pool
  metrics: Metrics
  clients: ClientAddress
  catalog: CatalogIndex
  rentCatalog: RentIndex
  /** What suppliers list, until both indexes and the tables have it. */
  lists: SupplierLists
  /** Who is asked first at one price. */
  routes: RouteBook
  /** How suppliers stand. */
  health: HealthBook
  /** What buyers excluded, and got all the same. */
  unwanted: UnwantedBook
  senders: SenderBook
  matches: PendingMatches
  suppliers: SupplierRegistry
  /** Of keys with play money; `worldOf` gives the context of their calls. */
  sandbox: SandboxParts
  gateways: GatewayRegistry
  /** Look-ups of payments under way in this process, by payment. */
  paymentChecks: PaymentChecks
  gatewayEvents: EventIntake
  realtime: Realtime
  /** What API keys called since the last flush. */
  keyCalls: KeyCallLog
  /** What is being sent to buyers' programs. */
  webhooks: WebhookPost
  background: Background
  /** The operator's banners; site/notices/ loads them. */
  notices: { list: readonly Notice[] }
  serving: { ending: boolean }
  buying: { stopped: boolean }
  messageTurns: MessageTurns
  /** Purchases in progress in this process, which sweeps leave alone. */
  reserving: UnderWay
  /** The same for rentals and extensions. */
  renting: UnderWay
  /** `version`: the catalogue's at the last sweep; `lookAt` (ms) forces one; `sweptAt` reveals a clock set back. */
  preorders: { version: number; lookAt: number; sweptAt: number }
}
