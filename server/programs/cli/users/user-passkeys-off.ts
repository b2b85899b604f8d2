import { deletePasskeysOf } from '#server/core/accounts/passkeys/queries.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { requireUser } from './find-account.ts'

export const takePasskeysOff: Command = {
  name: 'user:passkeys-off',
  summary: 'remove every passkey of a user whose device is lost, or whose account somebody else had',
  values: ['EMAIL'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const mailing = { clock: cli.clock, random: cli.random, secrets: { secretKey: await sealingKey(cli) } }
    return makeChange(cli, { name: 'user:passkeys-off', given }, async (tx) => {
      const user = await requireUser(tx, email)
      const subject = `user:${user.id}`
      const names = await deletePasskeysOf(tx, user.id)
      if (names.length === 0) return { subject, detail: {}, says: `${email} has no passkeys.`, unchanged: true }
      // The owner is notified, because an impostor may have persuaded support.
      const { email: to, locale } = user
      const told =
        to === null ? [] : names.map((name) => ({ to, locale, mail: { kind: 'passkey-removed', name } as const }))
      for (const letter of told) await queueMail(mailing, tx, letter)
      return { subject, detail: { email, passkeys: names.length }, says: `${email} has no passkeys any more.` }
    })
  },
}
