import { raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { makeChange } from '#server/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/cli/command.ts'
import { insertSupplier, lockSupplier } from '#server/cli/queries/suppliers.ts'
import { seal } from '#server/config/secret-key.ts'
import { supplierKinds } from '#server/suppliers/registry.ts'
import { checkSettings, readTyped, sealingKey } from './supplier-settings.ts'

/** The code is part of the path `/suppliers/{code}/push`. */
const CODE_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

export const addSupplier: Command = {
  name: 'supplier:add',
  summary: `add a supplier of a KIND (${Object.keys(supplierKinds).join(', ')}); a running server puts it to work`,
  values: ['KIND'],
  options: { code: { shows: 'CODE', required: true }, settings: { shows: `'{…}' | @FILE` } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [kind = ''] = given.values
    const { code = '', settings: text = '{}' } = given.options
    if (!CODE_PATTERN.test(code)) throw new WrongUsage('--code is 1 to 32 small letters, digits and hyphens')
    const settings = parseSettings(await readTyped(text))
    await checkSettings(cli, { kind, code, settings })
    const sealed = seal(settings, await sealingKey(cli), cli.random)
    return makeChange(cli, { name: 'supplier:add', given }, async (tx, now) => {
      const id = await insertSupplier(tx, { code, kind, settings: sealed, now })
      if (id === null) {
        const isThere = (await lockSupplier(tx, code)) !== null
        const was = `There was a supplier ${code}, which its orders still name: take another code`
        throw new CommandRefused(isThere ? `There is already a supplier ${code}` : was)
      }
      await raiseCatalogVersion(tx, now)
      // The audit log keeps names only, because values may be passwords.
      const detail = { id, kind, settings: Object.keys(settings) }
      return { subject: `supplier:${code}`, detail, says: `Added the supplier ${code} (${kind}).` }
    })
  },
}

/** The message never repeats the text, which may hold a password. */
function parseSettings(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  } catch {
    throw new WrongUsage('--settings is not JSON')
  }
  throw new WrongUsage('--settings is not a JSON object')
}
