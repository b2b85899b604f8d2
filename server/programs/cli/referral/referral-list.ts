import type { Command } from '#server/programs/cli/command.ts'
import { readCount } from '#server/programs/cli/listing.ts'
import { listInvitationSheets, listWithdrawalSheets } from '#server/programs/cli/queries/referral.ts'
import { describeInvitation, describeWithdrawal, toldInvitation, toldWithdrawal } from './referral-sheets.ts'

const SHOWN = 50
const MOST_SHOWN = 500

export const listReferral: Command = {
  name: 'referral:list',
  summary:
    'list what waits for staff: withdrawals to addresses, and invitations that look like one person, with the reason',
  options: { limit: { shows: `1-${MOST_SHOWN}` } },
  database: 'migrated',
  async run({ pool, tell, remark }, { options }) {
    const limit = readCount('limit', options.limit, { otherwise: SHOWN, atMost: MOST_SHOWN })
    const withdrawals = await listWithdrawalSheets(pool, { userId: null, limit })
    const invitations = await listInvitationSheets(pool, { userId: null, limit })
    for (const row of withdrawals) tell(toldWithdrawal(row), describeWithdrawal(row))
    for (const row of invitations) tell(toldInvitation(row), describeInvitation(row))
    if (withdrawals.length + invitations.length === 0) remark('Nothing waits.')
    if (withdrawals.length === limit || invitations.length === limit) remark('There may be more: --limit')
    return 0
  },
}
