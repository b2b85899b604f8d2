import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { endSessionsOf, sayEnded } from './end-sessions.ts'
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
      const ended = await endSessionsOf(tx, { userId: user.id, now })
      const says = `${email} is signed out everywhere: ${sayEnded(ended)}.`
      return { subject: `user:${user.id}`, detail: { email, ended }, says }
    })
  },
}
