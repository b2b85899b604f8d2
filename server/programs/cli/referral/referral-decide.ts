import { toDecimal } from '#contract/money.ts'
import { decideInvitation } from '#server/core/programmes/referral/decide-invitation.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { requireInvitation } from './referral-sheets.ts'

export const clearInvitation = decision(
  'cleared',
  'referral:clear',
  'find an invited person (e-mail or number) to be somebody else than the referrer: the shares go on, and are suspected no more',
)
export const barInvitation = decision(
  'barred',
  'referral:bar',
  'find an invited person (e-mail or number) to be the referrer again: what has not become available is refused, nothing more is counted',
)

function decision(state: 'cleared' | 'barred', name: string, summary: string): Command {
  return {
    name,
    summary,
    values: ['INVITED'],
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      return makeChange(cli, { name, given }, async (tx, now) => {
        const {
          invited_id: invitedId,
          user_id: userId,
          reasons,
          ...sheet
        } = await requireInvitation(tx, given.values[0] ?? '')
        const subject = `user:${invitedId}`
        const detail = { userId, invitedId, reasons, was: sheet.state, waiting: toDecimal(sheet.waiting_micros) }
        if (sheet.state === state)
          return { subject, detail, says: `User ${invitedId} is ${state} already.`, unchanged: true }
        const waitingMicros = await decideInvitation(tx, { userId, invitedId, state, now })
        if (waitingMicros === null) throw new CommandRefused(`Nothing was counted of user ${invitedId}`)
        const money = `${toDecimal(waitingMicros)} ${sheet.currency}`
        const says =
          state === 'cleared'
            ? `User ${invitedId} is cleared: ${money} for user ${userId} go on.`
            : `User ${invitedId} is barred: ${money} for user ${userId} are refused.`
        return { subject, detail, says }
      })
    },
  }
}
