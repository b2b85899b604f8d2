import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { beginDeletion } from '#server/core/privacy/deletion/ask-deletion.ts'
import { endAccount, eraseWords } from '#server/core/privacy/deletion/erase-account.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import { NONE, readSince } from '#server/programs/cli/listing.ts'
import { readLines } from '#server/programs/cli/numbers/read-lines.ts'
import { hasComeBack, listErased } from '#server/programs/cli/queries/users.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'

const MOST_LISTED = 100_000
/**
 * The amount that the user gives up at the repeated deletion. It exceeds any balance, because the first deletion gave
 * up all.
 */
const ALL_MICROS = 10n ** 15n

/** Lists deleted accounts. Staff store the list beside each database dump, because the dump lacks later deletions. */
export const listErasedUsers: Command = {
  name: 'user:erased',
  summary: `list who has left, as number and moment, for user:erase-again; at most ${MOST_LISTED} since --since`,
  options: { since: { shows: '24h' } },
  database: 'migrated',
  async run(cli, { options }) {
    const since = readSince(options.since, cli.clock.now())
    const erased = await listErased(cli.pool, { since, limit: MOST_LISTED })
    if (erased.length === 0) cli.remark(NONE)
    for (const { id, erased_at: at } of erased) {
      cli.tell({ id, erasedAt: at.toISOString() }, `${id} ${at.toISOString()}`)
    }
    return 0
  },
}

export const eraseAgain: Command = {
  name: 'user:erase-again',
  summary: 'after a restore: delete the accounts again that a list of user:erased names; what is open is waited for',
  values: ['FILE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [file = ''] = given.values
    const mailing = { clock: cli.clock, random: cli.random, secrets: { secretKey: await sealingKey(cli) } }
    const gone = (await readLines(file))
      .filter(({ text }) => text !== NONE)
      .map(({ place, text }) => readGone(text, place))
    for (const { userId, erasedAt } of gone) {
      const ended: { id: bigint; user_id: number }[] = []
      await makeChange(cli, { name: 'user:erase-again', given }, async (tx, now) => {
        const [subject, detail] = [`user:${userId}`, { userId, erasedAt: erasedAt.toISOString() }]
        if (!(await hasComeBack(tx, { userId, erasedAt }))) {
          return { subject, detail, says: `User ${userId} has not come back.`, unchanged: true }
        }
        const deletion = { userId, askedBy: 'staff', givesUpMicros: ALL_MICROS, dueAt: now } as const
        const { id } = await beginDeletion(mailing, tx, deletion)
        const waitsFor = (await endAccount(mailing, tx, id)) ?? []
        if (waitsFor.length > 0) {
          const says = `User ${userId} still has ${waitsFor.join(', ')}: the server deletes the account when that has ended.`
          return { subject, detail, says }
        }
        await raiseCatalogVersion(tx, now)
        ended.push({ id, user_id: userId })
        return { subject, detail, says: `User ${userId} is nobody again.` }
      })
      if (cli.dryRun) continue
      for (const one of ended) await eraseWords({ db: cli.pool, clock: cli.clock }, one)
    }
  },
}

function readGone(text: string, place: number): { userId: number; erasedAt: Date } {
  const [, id = '', moment = ''] = /^(\d{1,9}) (\d{4}-\d{2}-\d{2}T[\d:.]+Z)$/.exec(text) ?? []
  const erasedAt = new Date(moment)
  if (id === '' || Number.isNaN(erasedAt.getTime())) {
    throw new WrongUsage(`Line ${place} is not such as: 12 2026-01-31T14:05:00.000Z`)
  }
  return { userId: Number(id), erasedAt }
}
