import { raiseCatalogVersion } from '#server/features/catalog/queries.ts'
import { setBlocked } from '#server/features/users/queries.ts'
import { makeChange } from './change.ts'
import type { Command } from './command.ts'
import { requireUser } from './find-account.ts'

export const blockUser: Command = switchUser({
  name: 'user:block',
  summary: 'let a user do nothing more: sessions and API keys are refused at once, open sockets are closed',
  blocked: true,
})

export const unblockUser: Command = switchUser({
  name: 'user:unblock',
  summary: 'let a blocked user in again',
  blocked: false,
})

function switchUser({ name, summary, blocked }: { name: string; summary: string; blocked: boolean }): Command {
  const state = blocked ? 'blocked' : 'not blocked'
  return {
    name,
    summary,
    values: ['EMAIL'],
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      const [email = ''] = given.values
      return makeChange(cli, { name, given }, async (tx, now) => {
        const user = await requireUser(tx, email)
        const subject = `user:${user.id}`
        if ((user.blocked_at !== null) === blocked) {
          return { subject, detail: {}, says: `${user.email} is ${state} already.`, unchanged: true }
        }
        await setBlocked(tx, { userId: user.id, blockedAt: blocked ? now : null })
        // This is what a running server looks at each second.
        await raiseCatalogVersion(tx, now)
        return { subject, detail: { email: user.email }, says: `${user.email} is ${state} now.` }
      })
    },
  }
}
