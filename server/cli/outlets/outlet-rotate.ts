import { makeChange } from '#server/cli/change.ts'
import { type Command, CommandRefused } from '#server/cli/command.ts'
import { ROTATE_OPTIONS, readRotation, rotate } from '#server/cli/settings/rotate-key.ts'
import { sealingKey } from '#server/cli/settings/sealing-key.ts'
import { seal, unseal } from '#server/config/secret-key.ts'
import { checkOutletSettings } from './outlet-settings.ts'
import { changeOutlet, lockOutlet } from './queries.ts'

export const rotateOutletKey: Command = {
  name: 'outlet:rotate',
  summary: 'give an outlet another key of the protocol; the one before holds for HOURS more, both ways',
  values: ['CODE'],
  options: ROTATE_OPTIONS,
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    const rotation = await readRotation(cli, given.options)
    const secretKey = await sealingKey(cli)
    return makeChange(cli, { name: 'outlet:rotate', given }, async (tx, now) => {
      const outlet = await lockOutlet(tx, code)
      if (outlet === null) throw new CommandRefused(`There is no outlet ${code}`)
      const { id } = outlet
      const before = unseal(outlet.settings, [secretKey, ...cli.previousSecretKeys]).value
      const { settings, until } = rotate(before, rotation, now)
      await checkOutletSettings(tx, code, settings)
      await changeOutlet(tx, { id, settings: seal(settings, secretKey, cli.random) })
      return {
        ...{ subject: `outlet:${code}`, detail: { id, until } },
        says: `The outlet ${code} has another key; the one before holds until ${until}.`,
        ...(rotation.isMade && { secret: { name: 'key', value: rotation.key } }),
      }
    })
  },
}
