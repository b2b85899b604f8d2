import { USER_ROLES } from '#contract/user.ts'
import { setRole } from '#server/core/accounts/users/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { endSessionsOf, sayEnded } from './end-sessions.ts'
import { requireUser } from './find-account.ts'

export const giveRole: Command = {
  name: 'user:role',
  summary:
    'let a user answer tickets (support) or do everything in the staff room (operator), or nothing of it (user); needs two-factor sign-in, ends every session',
  values: ['EMAIL', 'ROLE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = '', wanted] = given.values
    const role = USER_ROLES.find((one) => one === wanted)
    if (role === undefined) throw new WrongUsage(`ROLE is one of ${USER_ROLES.join(', ')}`)
    return makeChange(cli, { name: 'user:role', given }, async (tx, now) => {
      const user = await requireUser(tx, email)
      const subject = `user:${user.id}`
      if (user.role === role) {
        return { subject, detail: {}, says: `${email} has the role ${role} already.`, unchanged: true }
      }
      if (!(await setRole(tx, { userId: user.id, role }))) {
        throw new CommandRefused(`${email} has no two-factor sign-in: it is turned on at /settings/security first`)
      }
      // All sessions end, because one may belong to an intruder. Staff must sign in again with the second factor.
      const ended = await endSessionsOf(tx, { userId: user.id, now })
      const detail = { email: user.email, role, before: user.role, ended }
      return { subject, detail, says: `${email} has the role ${role} now and signs in anew: ${sayEnded(ended)}.` }
    })
  },
}
