import { REFERRAL_COOKIE_SECONDS } from '#contract/account-constants.ts'
import { toDecimal } from '#contract/money.ts'
import type { ReferralReply, SharesReply, WithdrawalsReply } from '#contract/programmes/referral.ts'
import { DAY, SECOND } from '#contract/time.ts'
import { originOf } from '#server/house/config/zone-origin.ts'
import type { Context } from '#server/house/context.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { findFigures, listShareDays } from './queries/figures.ts'
import { countWithdrawals, findOpenWithdrawal, listWithdrawals } from './queries/withdrawals.ts'
import { toWithdrawal } from './record.ts'

export async function getReferral(ctx: Context, caller: MemberCaller): Promise<ReferralReply> {
  const { member, locale, zone } = caller
  const { userId, currency } = member
  const [figures, open] = await Promise.all([findFigures(ctx.db, userId), findOpenWithdrawal(ctx.db, userId)])
  const { percent, of, pendingDays, months, mostMicros, leastMicros, networks } = ctx.config.programmes.referral
  const most = mostMicros[currency]
  return {
    status: true,
    data: {
      link: `${originOf(ctx.config, zone)}/?ref=${userId}`,
      currency,
      percent,
      of,
      months,
      days: (REFERRAL_COOKIE_SECONDS * SECOND) / DAY,
      pending_days: pendingDays,
      most: most === null ? null : toDecimal(most),
      invited: Number(figures.invited),
      paying: Number(figures.paying),
      pending: toDecimal(figures.pending_micros),
      checking: toDecimal(figures.checking_micros),
      available: toDecimal(figures.available_micros),
      withdrawn: toDecimal(figures.withdrawn_micros),
      least: toDecimal(leastMicros[currency]),
      networks: networks.map(({ code, names }) => ({ code, name: names[locale] })),
      open_withdrawal: open === null ? null : toWithdrawal(ctx, open, locale),
    },
  }
}

export async function getShares(
  ctx: Context,
  caller: MemberCaller,
  { page, per_page: limit }: { page: number; per_page: number },
): Promise<SharesReply> {
  const wanted = { userId: caller.member.userId, offset: (page - 1) * limit, limit }
  const { rows, total } = await readBehind(ctx, caller, (db) => listShareDays(db, wanted))
  return {
    status: true,
    data: rows.map(({ date, state, micros, shares, available_at: availableAt }) => ({
      date,
      state,
      amount: toDecimal(micros),
      count: Number(shares),
      available_at: availableAt?.toISOString() ?? null,
    })),
    meta: { last_page: Math.max(1, Math.ceil(total / limit)), total },
  }
}

export async function getWithdrawals(
  ctx: Context,
  caller: MemberCaller,
  { page, per_page: limit, search }: { page: number; per_page: number; search?: string | undefined },
): Promise<WithdrawalsReply> {
  const wanted = {
    userId: caller.member.userId,
    search: search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`,
  }
  const [rows, total] = await readBehind(ctx, caller, (db) =>
    Promise.all([listWithdrawals(db, { ...wanted, offset: (page - 1) * limit, limit }), countWithdrawals(db, wanted)]),
  )
  return {
    status: true,
    data: rows.map((row) => toWithdrawal(ctx, row, caller.locale)),
    meta: { last_page: Math.max(1, Math.ceil(total / limit)), total },
  }
}
