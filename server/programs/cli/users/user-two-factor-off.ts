import { deleteTwoFactor } from '#server/core/accounts/two-factor/queries.ts'
import { isTwoFactorOn } from '#server/core/accounts/ways-in/queries.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { requireUser } from './find-account.ts'

export const turnTwoFactorOff: Command = {
  name: 'user:two-factor-off',
  summary:
    'take the second factor from a user who has lost it, or whose account somebody else had: the password is enough',
  values: ['EMAIL'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const mailing = { clock: cli.clock, random: cli.random, secrets: { secretKey: await sealingKey(cli) } }
    return makeChange(cli, { name: 'user:two-factor-off', given }, async (tx) => {
      const user = await requireUser(tx, email)
      const subject = `user:${user.id}`
      const wasOn = await isTwoFactorOn(tx, user.id)
      // A pending set-up is deleted too, because anybody who sees its QR code could confirm it.
      await deleteTwoFactor(tx, user.id)
      if (!wasOn) return { subject, detail: {}, says: `${email} has no two-factor sign-in.`, unchanged: true }
      // The owner is notified, because an impostor may have persuaded support.
      const { locale } = user
      const to = user.email
      if (to !== null) await queueMail(mailing, tx, { to, locale, mail: { kind: 'two-factor-off' } })
      return { subject, detail: { email }, says: `${email} signs in without a second factor now.` }
    })
  },
}
