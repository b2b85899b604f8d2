import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { switchCommands } from '#server/programs/cli/switch-command.ts'
import { requireUser } from './find-account.ts'

export const [blockUser, unblockUser] = switchCommands({
  values: ['EMAIL'],
  on: {
    name: 'user:block',
    summary: 'let a user do nothing but write to support: API keys are refused at once, open sockets are closed',
    state: 'blocked',
  },
  off: { name: 'user:unblock', summary: 'let a blocked user do everything again', state: 'not blocked' },
  async turn(tx, { value, on, now }) {
    const { id, email, blocked_at } = await requireUser(tx, value)
    const changed = (blocked_at !== null) !== on
    if (changed) {
      await setBlocked(tx, { userId: id, blockedAt: on ? now : null })
      // A running server polls the catalogue's version, and then closes the user's live sockets.
      await raiseCatalogVersion(tx, now)
    }
    return { subject: `user:${id}`, detail: { email }, what: email ?? value, changed }
  },
})
