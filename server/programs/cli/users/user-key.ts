import { makeApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { replaceApiKey } from '#server/core/accounts/api-keys/queries.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { systemRandom } from '#server/house/clock.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { requireUser } from './find-account.ts'

/** Gives a user an API key. The key is printed once, because the database stores only a hash. */
export const giveKey: Command = {
  name: 'user:key',
  summary: 'give a user an API key, printed once; the one that staff gave before is refused from now on',
  values: ['EMAIL'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const apiKey = makeApiKey(systemRandom)
    return makeChange(cli, { name: 'user:key', given }, async (tx, now) => {
      const user = await requireUser(tx, email)
      const revoked = await replaceApiKey(tx, { userId: user.id, apiKey, now })
      // A running server polls the catalogue's version, and then closes the previous API key's live sockets.
      if (revoked.length > 0) await raiseCatalogVersion(tx, now)
      return {
        subject: `user:${user.id}`,
        detail: { email: user.email, revoked },
        says: `${email} has a new API key.`,
        secret: { name: 'api_key', value: apiKey },
      }
    })
  },
}
