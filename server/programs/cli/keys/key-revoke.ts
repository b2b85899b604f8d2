import { revokeKey } from '#server/core/accounts/api-keys/queries.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { findKeySheet } from '#server/programs/cli/queries/keys.ts'

export const revokeKeyByHand: Command = {
  name: 'key:revoke',
  summary: 'refuse an API key of anybody from now on, by its number of key:list; its sockets are closed',
  values: ['ID'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [written = ''] = given.values
    if (!/^\d{1,9}$/.test(written)) throw new WrongUsage('ID is the number of a key: see key:list')
    const id = Number(written)
    return makeChange(cli, { name: 'key:revoke', given }, async (tx, now) => {
      const key = await findKeySheet(tx, id)
      if (key === null) throw new CommandRefused(`There is no key ${id}`)
      const subject = `user:${key.user_id}`
      // The audit log omits the name of the API key, because the log is kept after the owner has left.
      const detail = { key: id }
      const name = `The key ${id} "${plain(key.name)}" of user ${key.user_id}`
      const revoked = await revokeKey(tx, { id, userId: null, now })
      if (revoked === null) return { subject, detail, says: `${name} was revoked before.`, unchanged: true }
      // A running server polls the catalogue's version, and then closes the API key's live sockets.
      await raiseCatalogVersion(tx, now)
      return { subject, detail, says: `${name} is revoked.` }
    })
  },
}
