import { revokeSessionsOf } from '#server/accounts/sessions/queries.ts'
import { setSignedOut } from '#server/accounts/users/queries.ts'
import { raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { makeChange } from '#server/cli/change.ts'
import type { Command } from '#server/cli/command.ts'
import { requireUser } from './find-account.ts'

export const signOutUser: Command = {
  name: 'user:sign-out',
  summary: 'end every session of a user: whoever is signed in must sign in again; API keys go on',
  values: ['EMAIL'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    return makeChange(cli, { name: 'user:sign-out', given }, async (tx, now) => {
      const user = await requireUser(tx, email)
      const ended = (await revokeSessionsOf(tx, { userId: user.id, keep: null, now })).length
      await setSignedOut(tx, { userId: user.id, now })
      // A running server polls the version, and closes live sockets.
      await raiseCatalogVersion(tx, now)
      const says = `${email} is signed out everywhere: ${ended} session${ended === 1 ? '' : 's'} ended.`
      return { subject: `user:${user.id}`, detail: { email, ended }, says }
    })
  },
}
