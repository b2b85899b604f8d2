import { MINUTE } from '#contract/time.ts'
import { describeSystems } from '#server/adapters/shared/system-settings.ts'
import type { Gateway, GatewayRow } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { openApi } from './api.ts'
import { begin } from './begin.ts'
import { readFacts } from './facts.ts'
import { readYookassaEvent } from './read-event.ts'
import { findRefund, refund } from './refund.ts'
import type { Shop } from './shop.ts'
import { readShopSettings } from './shop-settings.ts'

/** The time for which YooKassa waits for the payer. Money that arrives in the last second is still credited. */
const OPEN_MS = 60 * MINUTE
const COMMON = { form: 'redirect', minutes: 1, lifetimeMs: OPEN_MS } as const

/** YooKassa's limits for one payment (yookassa.ru/developers, payment methods). */
const SYSTEMS = {
  card: {
    ...COMMON,
    suffix: 'card',
    mark: 'card',
    names: { en: 'Bank card', ru: 'Банковская карта' },
    limits: { rub: { minMicros: 1_000_000n, maxMicros: 350_000_000_000n } },
    isCard: true,
  },
  sbp: {
    ...COMMON,
    suffix: 'sbp',
    mark: 'bank',
    names: { en: 'SBP, from a bank’s app', ru: 'СБП' },
    limits: { rub: { minMicros: 1_000_000n, maxMicros: 700_000_000_000n } },
    isCard: false,
  },
}

/**
 * Accepts cards and SBP on YooKassa's page, in one stage. Only YooKassa's reply about a payment is credited, because a
 * notification is only a hint.
 */
export function createYookassa({ db, clock }: Context, row: GatewayRow): Gateway {
  const settings = readShopSettings(row.settings)
  const shop: Shop = { code: row.code, settings, api: openApi(settings), db, clock }
  const methods = [...new Set(settings.methods)].map((name) => SYSTEMS[name])
  return {
    id: row.id,
    code: row.code,
    systems: describeSystems(row.code, settings.systems, methods),
    begin: (order, signal) => begin(shop, order, signal),
    fetch: (payment, signal) => readFacts(shop, payment, signal),
    refund: (order, signal) => refund(shop, order, signal),
    findRefund: (order, signal) => findRefund(shop, order, signal),
    readEvent: (event) => readYookassaEvent(settings, event),
  }
}
