import { toDecimal } from '#contract/money.ts'
import { findFigures } from '#server/core/programmes/referral/queries/figures.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { listInvitationSheets, listWithdrawalSheets } from '#server/programs/cli/queries/referral.ts'
import {
  describeInvitation,
  describeWithdrawal,
  requireMember,
  toldInvitation,
  toldWithdrawal,
} from './referral-sheets.ts'

const SHOWN = 50

export const showReferral: Command = {
  name: 'referral:show',
  summary: 'show what a USER (e-mail or number) has earned, by whom, and withdrawn; the latest 50 of each',
  values: ['USER'],
  database: 'migrated',
  async run({ pool, tell, remark }, given) {
    const { id, email, referrer_id } = await requireMember(pool, given.values[0] ?? '')
    const figures = await findFigures(pool, id)
    const money = {
      available: toDecimal(figures.available_micros),
      pending: toDecimal(figures.pending_micros),
      checking: toDecimal(figures.checking_micros),
      withdrawn: toDecimal(figures.withdrawn_micros),
    }
    const wanted = { userId: id, limit: SHOWN }
    const [invitations, withdrawals] = [
      await listInvitationSheets(pool, wanted),
      await listWithdrawalSheets(pool, wanted),
    ]
    const { invited, paying } = figures
    const told = { userId: id, email, referrerId: referrer_id, invited, paying, ...money }
    const lists = { invitations: invitations.map(toldInvitation), withdrawals: withdrawals.map(toldWithdrawal) }
    const said = Object.entries(money).map(([name, amount]) => `${name} ${amount}`)
    tell({ ...told, ...lists }, `user ${id}: ${said.join(', ')}; ${invited} invited, ${paying} of them counted`)
    for (const row of invitations) remark(`  ${describeInvitation(row)}`)
    for (const row of withdrawals) remark(`  ${describeWithdrawal(row)}`)
    return 0
  },
}
