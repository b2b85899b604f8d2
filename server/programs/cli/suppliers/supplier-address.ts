import { unseal } from '#server/house/config/secret-key.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { findSupplier } from '#server/programs/cli/queries/suppliers.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { intakeAddress, whatToEnter } from './intake-address.ts'

export const showSupplierAddress: Command = {
  name: 'supplier:address',
  summary: 'show the secret address that a supplier takes messages or pushes at, and where to enter it',
  values: ['CODE'],
  database: 'migrated',
  async run(cli, { values }) {
    const [code = ''] = values
    const supplier = await findSupplier(cli.pool, code)
    if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
    const settings = unseal(supplier.settings, [await sealingKey(cli), ...cli.previousSecretKeys]).value
    const address = intakeAddress(cli.config, { ...supplier, code, settings })
    if (address === null) throw new CommandRefused(`${code} is of kind ${supplier.kind}: nothing comes in by HTTP`)
    const { key } = settings
    cli.tell({ code, address, ...(typeof key === 'string' && { key }) }, whatToEnter(address, settings))
    return 0
  },
}
