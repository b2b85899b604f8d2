import { isDeepStrictEqual } from 'node:util'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { endOverlap } from '#server/programs/cli/settings/rotate-key.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { changeSetting, readSettingChange } from '#server/programs/cli/settings/setting-change.ts'
import { checkOutletSettings } from './outlet-settings.ts'
import { changeOutlet, lockOutlet } from './queries.ts'

export const setOutlet: Command = {
  name: 'outlet:set',
  summary: 'change settings of an outlet (VALUE: JSON, text, @FILE; null removes); the next call follows them',
  values: ['CODE'],
  rest: 'KEY=VALUE',
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', ...typed] = given.values
    const changes = await Promise.all(typed.map(readSettingChange))
    const secretKey = await sealingKey(cli)
    return makeChange(cli, { name: 'outlet:set', given }, async (tx) => {
      const outlet = await lockOutlet(tx, code)
      if (outlet === null) throw new CommandRefused(`There is no outlet ${code}`)
      const { id } = outlet
      const before = unseal(outlet.settings, [secretKey, ...cli.previousSecretKeys]).value
      const settings = endOverlap(before, changes.reduce(changeSetting, before))
      await checkOutletSettings(tx, code, settings)
      const names = changes.map(({ name }) => name)
      const subject = `outlet:${code}`
      // The audit log gets only the names of settings, because values may be secrets.
      const detail = { id, settings: names }
      if (isDeepStrictEqual(settings, before)) {
        return { subject, detail, says: `The outlet ${code} has these settings already.`, unchanged: true }
      }
      await changeOutlet(tx, { id, settings: seal(settings, secretKey, cli.random) })
      return { subject, detail, says: `Changed ${names.join(', ')} of the outlet ${code}.` }
    })
  },
}
