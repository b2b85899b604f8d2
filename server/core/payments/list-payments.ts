import { MAX_OPEN_PAYMENTS, type PaymentsFilter, type PaymentsHistory, type PaymentsReply } from '#contract/payment.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { localTime, OPEN_DAYS, readDays } from '#server/house/http/local-days.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { toBonusRecord } from './bonus-rules.ts'
import { listOfferedRules } from './queries/bonuses.ts'
import { countPayments, listOpenPayments, listPayments } from './queries/payments.ts'
import { toPaymentRecord } from './record.ts'
import { offeredSystems, toSystemRecord } from './systems.ts'

export async function getPayments(ctx: Context, caller: MemberCaller): Promise<PaymentsReply> {
  const { member, locale, zone } = caller
  const systems = offeredSystems(ctx, { zone, currency: member.currency })
  const open = await listOpenPayments(ctx.db, { userId: member.userId, limit: MAX_OPEN_PAYMENTS })
  const bonuses = await listOfferedRules(ctx.db, {
    userId: member.userId,
    currency: member.currency,
    now: ctx.clock.now(),
  })
  const standard = systems.find(({ key }) => key === zone.defaultSystem) ?? systems[0]
  return {
    status: true,
    systems: Object.fromEntries(
      systems.map((system) => [system.key, toSystemRecord(system, member.currency, locale)] as const),
    ),
    default_system: standard?.key ?? null,
    bonuses: bonuses.map(toBonusRecord),
    active_payments: Object.fromEntries(
      await Promise.all(
        open.map(async (row) => [row.transaction_id, await toPaymentRecord(ctx, row, locale)] as const),
      ),
    ),
  }
}

export async function getPaymentsHistory(
  ctx: Context,
  caller: MemberCaller,
  filter: PaymentsFilter & { page: number; per_page: number },
): Promise<PaymentsHistory> {
  const { date, search, page, per_page: limit } = filter
  const [from, to] = [filter.from ?? date, filter.to ?? date]
  const days = readDays(localTime(filter.time_zone), { from, to }, OPEN_DAYS)
  const wanted = {
    userId: caller.member.userId,
    from: from === undefined ? null : days.beginsAt,
    until: to === undefined ? null : days.endsAt,
    search: search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`,
    systems: search === undefined ? [] : systemsNamed(ctx, search),
    transactionId: filter.payment_id ?? null,
  }
  const [rows, total] = await readBehind(ctx, caller, (db) =>
    Promise.all([listPayments(db, { ...wanted, offset: (page - 1) * limit, limit }), countPayments(db, wanted)]),
  )
  return {
    status: true,
    history: {
      data: await Promise.all(rows.map((row) => toPaymentRecord(ctx, row, caller.locale))),
      meta: { last_page: Math.max(1, Math.ceil(total / limit)), total },
    },
  }
}

function systemsNamed(ctx: Context, search: string): string[] {
  const wanted = search.toLowerCase()
  const all = gatewaysOf(ctx)
    .all()
    .flatMap(({ gateway }) => gateway.systems)
  return all.flatMap(({ key, names }) =>
    Object.values(names).some((name) => name.toLowerCase().includes(wanted)) ? [key] : [],
  )
}
