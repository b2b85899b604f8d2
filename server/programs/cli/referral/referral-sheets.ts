import { toDecimal } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import {
  findInvitationSheet,
  findMember,
  findWithdrawalSheet,
  type InvitationSheet,
  type MemberSheet,
  type WithdrawalSheet,
} from '#server/programs/cli/queries/referral.ts'
import type { Told } from '#server/programs/cli/say.ts'

export async function requireWithdrawal(db: Db, name: string): Promise<WithdrawalSheet> {
  if (!/^\d{1,18}$/.test(name)) throw new WrongUsage('ID is the number of a withdrawal, as referral:list shows it')
  const found = await findWithdrawalSheet(db, BigInt(name))
  if (found === null) throw new CommandRefused(`There is no withdrawal ${name} to an address`)
  return found
}

export async function requireMember(db: Db, name: string): Promise<MemberSheet> {
  const found = await findMember(db, name)
  if (found === null) throw new CommandRefused(`There is no user ${name}`)
  return found
}

export async function requireInvitation(db: Db, name: string): Promise<InvitationSheet> {
  const { id } = await requireMember(db, name)
  const found = await findInvitationSheet(db, id)
  if (found === null) throw new CommandRefused(`Nothing was counted of user ${id}, whoever invited them`)
  return found
}

export function toldWithdrawal({ amount_micros, debt_micros, ...row }: WithdrawalSheet): Told {
  return { what: 'withdrawal', ...row, amount: toDecimal(amount_micros), debt: toDecimal(debt_micros) }
}

/** Returns a line such as `withdrawal 1001 2026-01-10T12:00:00.000Z asked 500.00 rub to trc20 T…, a@b.c (user 12)`. */
export function describeWithdrawal(row: WithdrawalSheet): string {
  const to = row.address === null ? 'the balance' : `${row.network} ${plain(row.address)}`
  const paid = row.tx === null ? '' : `, tx ${plain(row.tx)}`
  const debt = row.debt_micros === 0n ? '' : `, OWES ${toDecimal(row.debt_micros)}`
  const money = `${toDecimal(row.amount_micros)} ${row.currency}`
  return `withdrawal ${row.id} ${row.created_at.toISOString()} ${row.state} ${money} to ${to}${paid}, ${who(row.email, row.user_id)}${debt}`
}

export function toldInvitation({ due_micros, waiting_micros, ...row }: InvitationSheet): Told {
  return { what: 'invitation', ...row, brought: toDecimal(due_micros), waiting: toDecimal(waiting_micros) }
}

export function describeInvitation(row: InvitationSheet): string {
  const reasons = row.reasons.length === 0 ? '' : ` (${row.reasons.join(', ')})`
  const money = `${toDecimal(row.waiting_micros)} of ${toDecimal(row.due_micros)} ${row.currency} wait`
  const invited = `${plain(row.email ?? 'no e-mail')}, user ${row.invited_id}`
  return `invitation of ${invited}${reasons} ${row.state}: ${money}, by ${who(row.referrer_email, row.user_id)}`
}

function who(email: string | null, id: number): string {
  return `${plain(email ?? 'no e-mail')} (user ${id})`
}
