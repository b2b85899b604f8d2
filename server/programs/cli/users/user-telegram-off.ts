import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { deleteChat } from '#server/surfaces/telegram/chats/queries.ts'
import { tellOfChat } from '#server/surfaces/telegram/chats/tell-of-chat.ts'
import { requireUser } from './find-account.ts'

export const takeTelegramOff: Command = {
  name: 'user:telegram-off',
  summary: 'unlink the Telegram chat of a user whose account somebody else had',
  values: ['EMAIL'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const telling = { clock: cli.clock, random: cli.random, secrets: { secretKey: await sealingKey(cli) } }
    return makeChange(cli, { name: 'user:telegram-off', given }, async (tx) => {
      const user = await requireUser(tx, email)
      const subject = `user:${user.id}`
      const chat = await deleteChat(tx, user.id)
      if (chat === null) return { subject, detail: {}, says: `${email} has no Telegram chat.`, unchanged: true }
      // The owner is notified, because an impostor may have persuaded support.
      await tellOfChat(telling, tx, { user, kind: 'telegram-unlinked', name: chat.name })
      return { subject, detail: { email }, says: `${email} has no Telegram chat any more.` }
    })
  },
}
