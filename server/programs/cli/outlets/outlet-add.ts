import { seal } from '#server/house/config/secret-key.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { readTypedSettings, requireCode } from '#server/programs/cli/settings/typed-settings.ts'
import { checkOutletSettings } from './outlet-settings.ts'
import { findBuyingKey, insertOutlet } from './queries.ts'

const KINDS = ['agent']

export const addOutlet: Command = {
  name: 'outlet:add',
  summary:
    'be the supplier of a platform (KIND agent): it buys with the API key of that number (key:list), of scope buy',
  values: ['KIND'],
  options: {
    code: { shows: 'CODE', required: true },
    key: { shows: 'KEY_NUMBER', required: true },
    settings: { shows: `'{…}' | @FILE`, required: true },
  },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [kind = ''] = given.values
    const { code = '', key = '', settings: text = '' } = given.options
    if (!KINDS.includes(kind)) throw new WrongUsage(`There is no kind ${kind}; there is ${KINDS.join(', ')}`)
    requireCode(code)
    if (!/^\d{1,9}$/.test(key)) throw new WrongUsage('--key is the number of an API key, as key:list shows it')
    const settings = await readTypedSettings(text)
    await checkOutletSettings(cli.pool, code, settings)
    const sealed = seal(settings, await sealingKey(cli), cli.random)
    return makeChange(cli, { name: 'outlet:add', given }, async (tx, now) => {
      const found = await findBuyingKey(tx, Number(key))
      if (found === null) throw new CommandRefused(`There is no API key ${key} of scope buy that is not revoked`)
      const id = await insertOutlet(tx, { code, kind, apiKeyId: found.id, settings: sealed, now })
      if (id === null) throw new CommandRefused(`There is already an outlet ${code}`)
      // The audit log gets only the names of settings, because values may be secrets.
      const detail = { id, kind, key: found.id, settings: Object.keys(settings) }
      const origin = cli.config.publicUrl?.origin ?? 'https://HOST'
      const says = `Added the outlet ${code} (${kind}). The platform calls ${origin}/agent/${code}, with its key.`
      return { subject: `outlet:${code}`, detail, says }
    })
  },
}
