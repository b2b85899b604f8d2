import { isDeepStrictEqual } from 'node:util'
import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { changeSettings } from '#server/programs/cli/queries/suppliers.ts'
import { endOverlap } from '#server/programs/cli/settings/rotate-key.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { changeSetting, readSettingChange } from '#server/programs/cli/settings/setting-change.ts'
import { checkSettings } from './supplier-settings.ts'

export const setSupplier: Command = {
  name: 'supplier:set',
  summary: 'change settings of a supplier (VALUE: JSON, text, @FILE; null removes); a running server starts it again',
  values: ['CODE'],
  rest: 'KEY=VALUE',
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', ...typed] = given.values
    const changes = await Promise.all(typed.map(readSettingChange))
    const secretKey = await sealingKey(cli)
    return makeChange(cli, { name: 'supplier:set', given }, async (tx, now) => {
      const supplier = await lockSupplier(tx, code)
      if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
      const { id, kind } = supplier
      const before = unseal(supplier.settings, [secretKey, ...cli.previousSecretKeys]).value
      const settings = endOverlap(before, changes.reduce(changeSetting, before))
      await checkSettings(cli, { kind, code, settings })
      const names = changes.map(({ name }) => name)
      const subject = `supplier:${code}`
      // The audit log gets only the names of settings, because values may be passwords.
      const detail = { id, settings: names }
      if (isDeepStrictEqual(settings, before)) {
        return { subject, detail, says: `The supplier ${code} has these settings already.`, unchanged: true }
      }
      await changeSettings(tx, { id, settings: seal(settings, secretKey, cli.random) })
      await raiseCatalogVersion(tx, now)
      return { subject, detail, says: `Changed ${names.join(', ')} of the supplier ${code}.` }
    })
  },
}
