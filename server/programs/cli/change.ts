import { userInfo } from 'node:os'
import { insertAudit, type Tells } from '#server/house/db/audit-log.ts'
import type { Db } from '#server/house/db/pool.ts'
import { rehearsal, transaction } from '#server/house/db/transaction.ts'
import { auditIdOf } from '#server/house/money/manual-changes.ts'
import { type Arguments, CommandRefused, type DatabaseCli } from './command.ts'
import { YES } from './parse-command.ts'

/** A change by a command. `subject` has the form `kind:key`, such as `user:12`. `detail` never contains a secret. */
export type Change = {
  subject: string
  detail: Record<string, unknown>
  says: string
  tells?: Tells
  /** True if the command changed nothing; the audit log then gets no row. */
  unchanged?: boolean
  /** A secret that is printed once instead of `says`. A dry run, in which it is void, and the audit log omit it. */
  secret?: { name: string; value: string }
}

/**
 * Makes a change and records it in the audit log, in one transaction, which `--dry-run` rolls back. `work` throws
 * CommandRefused to refuse.
 */
export async function makeChange(
  cli: DatabaseCli,
  command: { name: string; given: Arguments },
  work: (tx: Db, now: Date) => Promise<Change>,
): Promise<undefined> {
  const { dryRun } = cli
  const { change, auditId } = await (dryRun ? rehearsal : transaction)(cli.pool, async (tx) => {
    const now = cli.clock.now()
    const made = await work(tx, now)
    const id = made.unchanged === true ? null : await recordChange(tx, { ...command, change: made, now })
    return { change: made, auditId: id }
  })
  const { subject, detail, says, unchanged, secret } = change
  const changed = unchanged !== true
  const given = secret === undefined || dryRun ? undefined : secret
  const told = {
    command: command.name,
    subject,
    changed,
    dryRun,
    requestId: dryRun || auditId === null ? null : auditIdOf(auditId),
    says,
    detail,
    ...(given && { [given.name]: given.value }),
  }
  const line = given?.value ?? says
  cli.tell(told, dryRun ? `Nothing was changed (--dry-run). It would say: ${line}` : line)
}

/**
 * Throws CommandRefused for a probable typing error, unless `--yes` is given. `doubt` is a clause that says with
 * figures what would happen.
 */
export function refuseDoubtful(given: Arguments, doubt: string): void {
  if (given.switches.has(YES)) return
  throw new CommandRefused(`${doubt}. Nothing was changed: add --${YES} if it is meant`)
}

async function recordChange(
  tx: Db,
  input: { name: string; given: Arguments; change: Pick<Change, 'subject' | 'detail' | 'tells'>; now: Date },
): Promise<bigint | null> {
  const { by, reason } = input.given.options
  const { subject, detail, tells } = input.change
  return insertAudit(tx, {
    at: input.now,
    actor: by ?? userOfMachine(),
    command: input.name,
    subject,
    reason: reason ?? '',
    detail,
    ...(tells !== undefined && { tells }),
  })
}

/** In a container the process's uid may have no user name. */
function userOfMachine(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
