import type { Db } from '#server/house/db/pool.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { listTraces, type Trace } from './queries/members.ts'

export type SuspectReason = 'email' | 'device' | 'network' | 'payer'

/** The number of the referrer's latest invited users with whom a newly invited user is compared. */
const MOST_COMPARED = 200
/** Private addresses identify no household, because everybody behind one of our own proxies has them. */
const PRIVATE_PATTERN = /^(?:$|10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.|0:0:0:0::|f[cd]|fe[89ab])/

/** Returns reasons to suspect that an invited user is the referrer, or a second account of somebody invited before. */
export async function findReasons(
  db: Db,
  { userId, invitedId }: { userId: number; invitedId: number },
): Promise<SuspectReason[]> {
  const traces = await listTraces(db, { userId, invitedId, limit: MOST_COMPARED })
  const [own, others] = [marksOf(traces, true), marksOf(traces, false)]
  const order: SuspectReason[] = ['email', 'device', 'network', 'payer']
  return order.filter((reason) => [...own[reason]].some((mark) => others[reason].has(mark)))
}

function marksOf(traces: readonly Trace[], isInvited: boolean): Record<SuspectReason, Set<string>> {
  const marks = {
    email: new Set<string>(),
    device: new Set<string>(),
    network: new Set<string>(),
    payer: new Set<string>(),
  }
  for (const { what, value, invited } of traces) {
    if (invited !== isInvited) continue
    const mark = what === 'email' ? mailboxOf(value) : what === 'network' ? networkOf(value) : value
    if (what !== 'network' || !PRIVATE_PATTERN.test(mark)) marks[what].add(mark)
  }
  return marks
}

const DOTLESS_DOMAINS = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns the mailbox of an e-mail address: a suffix after `+` is ignored everywhere, and dots are ignored at Google.
 */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const name = local.split('+')[0] ?? ''
  return DOTLESS_DOMAINS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
