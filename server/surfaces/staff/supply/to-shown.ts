import { SUPPLIER_ALARMS } from '#contract/mails.ts'
import { toDecimal } from '#contract/money.ts'
import type { ShownSupplier, SupplierAlarm } from '#contract/staff/supply.ts'
import { SHARE_WINDOWS } from '#contract/staff/supply-constants.ts'
import type { listAlarms, listMutes } from '#server/core/alarms/queries.ts'
import { nameOf } from '#server/core/alarms/set-alarm.ts'
import type { Norms } from '#server/core/catalog/health/norms.ts'
import type {
  countOpenNumbers,
  countUnmatchedOfAll,
  sumCallsOfAll,
  WindowRow,
} from '#server/core/catalog/health/queries/board.ts'
import type { sumReusedIds } from '#server/core/catalog/health/queries/reused-ids.ts'
import type { ShownSupplier as SupplierRow } from '#server/core/catalog/health/queries/shown.ts'
import { answerTimes, shareOf } from '#server/core/catalog/health/shown-shares.ts'

export type BoardFacts = {
  calls: Awaited<ReturnType<typeof sumCallsOfAll>>
  windows: readonly WindowRow[]
  open: Awaited<ReturnType<typeof countOpenNumbers>>
  unmatched: Awaited<ReturnType<typeof countUnmatchedOfAll>>
  reusedIds: Awaited<ReturnType<typeof sumReusedIds>>
  alarms: Awaited<ReturnType<typeof listAlarms>>
  mutes: Awaited<ReturnType<typeof listMutes>>
  norms: Norms
}

export function toShownSupplier(row: SupplierRow, facts: BoardFacts): ShownSupplier {
  const of = <Fact extends { supplier_id: number }>(all: readonly Fact[]) =>
    all.filter((fact) => fact.supplier_id === row.id)
  const [calls] = of(facts.calls)
  return {
    code: row.code,
    kind: row.kind,
    paused_since: row.paused_at?.toISOString() ?? null,
    link: linkOf(row),
    aside: asideOf(row),
    last_sms_at: row.last_sms_at?.toISOString() ?? null,
    stock: row.stock === null ? null : Number(row.stock),
    balance: balanceOf(row),
    calls: {
      calls: calls?.calls ?? 0,
      errors: calls?.errors ?? 0,
      ...answerTimes(calls?.milliseconds_counts ?? []),
    },
    shares: sharesOf(row.id, of(facts.windows), facts.norms),
    open_numbers: of(facts.open)[0]?.count ?? 0,
    unmatched: of(facts.unmatched)[0]?.count ?? 0,
    reused_ids: of(facts.reusedIds)[0]?.count ?? 0,
    alarms: alarmsOf(row.code, facts),
  }
}

function linkOf({ link_up: up, link_changed_at: at }: SupplierRow): ShownSupplier['link'] {
  return up === null || at === null ? null : { up, since: at.toISOString() }
}

function asideOf({ state, since, reason, try_at: tryAt }: SupplierRow): ShownSupplier['aside'] {
  if (state === 'sound' || since === null || tryAt === null) return null
  return { since: since.toISOString(), reason: reason ?? '', try_at: tryAt.toISOString() }
}

function balanceOf({ balance_micros: micros, balance_currency: currency, balance_at: at }: SupplierRow) {
  if (micros === null || currency === null || at === null) return null
  return { amount: toDecimal(micros), currency, at: at.toISOString() }
}

function sharesOf(supplierId: number, rows: readonly WindowRow[], norms: Norms): ShownSupplier['shares'] {
  const normOf = norms.of(supplierId)
  return SHARE_WINDOWS.map((window, place) => {
    const pairs = rows.flatMap(({ purchases, codes, ...pair }) => {
      const bought = purchases[place] ?? 0
      return bought === 0 ? [] : [{ ...pair, purchases: bought, codes: codes[place] ?? 0 }]
    })
    return { window, ...shareOf(pairs, normOf) }
  })
}

function alarmsOf(code: string, { alarms, mutes }: BoardFacts): SupplierAlarm[] {
  return SUPPLIER_ALARMS.flatMap((kind): SupplierAlarm[] => {
    const name = nameOf({ kind, about: code })
    const since = alarms.find((alarm) => alarm.name === name)?.began_at.toISOString() ?? null
    const itself = mutes.find((mute) => mute.name === name)
    const mute = itself ?? mutes.find((one) => one.name === kind)
    if (since === null && mute === undefined) return []
    const mutedBy = mute === undefined ? null : mute === itself ? 'itself' : 'kind'
    return [{ kind, since, muted_until: mute?.until.toISOString() ?? null, muted_by: mutedBy }]
  })
}
