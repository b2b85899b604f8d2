import { DELETION_DAYS } from '#contract/account-constants.ts'
import { parseDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { beginDeletion } from '#server/core/privacy/deletion/ask-deletion.ts'
import { endAccount, eraseWords } from '#server/core/privacy/deletion/erase-account.ts'
import { cancelDeletionOf } from '#server/core/privacy/deletion/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { requireUser } from './find-account.ts'

export const eraseUser: Command = {
  name: 'user:erase',
  summary: `delete a user's account in ${DELETION_DAYS} days, or --now; both wait until nothing is open and no more is left than --give-up, which the user has agreed to; --cancel keeps it`,
  values: ['EMAIL'],
  options: { 'give-up': { shows: '12.50' } },
  switches: ['now', 'cancel'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const isNow = given.switches.has('now')
    const givesUpMicros = readGivenUp(given.options['give-up'])
    const mailing = { clock: cli.clock, random: cli.random, secrets: { secretKey: await sealingKey(cli) } }
    const ended: { id: bigint; user_id: number }[] = []
    await makeChange(cli, { name: 'user:erase', given }, async (tx, now) => {
      const { id: userId } = await requireUser(tx, email)
      const subject = `user:${userId}`
      if (given.switches.has('cancel')) {
        const isKept = await cancelDeletionOf(tx, { userId, now })
        const says = isKept ? `${email} stays.` : `Nobody wanted to delete ${email}.`
        return { subject, detail: { cancelled: true }, says, unchanged: !isKept }
      }
      const dueAt = isNow ? now : new Date(now.getTime() + DELETION_DAYS * DAY)
      const row = await beginDeletion(mailing, tx, { userId, askedBy: 'staff', givesUpMicros, dueAt })
      const detail = { userId, dueAt: row.due_at.toISOString(), giveUp: given.options['give-up'] ?? '0' }
      if (!isNow) return { subject, detail, says: `${email} is deleted from ${detail.dueAt} on, and has been told.` }
      const waitsFor = await endAccount(mailing, tx, row.id)
      if (waitsFor === null || waitsFor.length > 0) {
        throw new CommandRefused(`${email} still has ${(waitsFor ?? []).join(', ')}: nothing was deleted`)
      }
      await raiseCatalogVersion(tx, now)
      ended.push({ id: row.id, user_id: userId })
      return { subject, detail, says: `${email} is deleted: user ${userId} is nobody from now on.` }
    })
    if (cli.dryRun) return
    for (const deletion of ended) await eraseWords({ db: cli.pool, clock: cli.clock }, deletion)
  },
}

function readGivenUp(text = '0'): bigint {
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n) return micros
  throw new WrongUsage('--give-up is an amount such as 12.50')
}
