import { writeWhole } from '#server/house/write-whole.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { listRules } from '#server/programs/cli/queries/prices.ts'
import { MAX_FILE_RULES, toPriceFile } from './price-file.ts'

export const exportPrices: Command = {
  name: 'price:export',
  summary: 'write what price:set has set into a CSV file, which price:import takes again',
  values: ['FILE'],
  database: 'migrated',
  async run(cli, { values: [file = ''] }) {
    const now = cli.clock.now()
    const all = { serviceCode: null, countryId: null, after: null }
    const found = await listRules(cli.pool, { ...all, limit: MAX_FILE_RULES + 1, now })
    // Rules below cost are left out, because a separate command must set each.
    const rules = found.filter(({ spentMicros }) => spentMicros === null)
    if (found.length > MAX_FILE_RULES) throw new CommandRefused(`There are more than ${MAX_FILE_RULES} rules`)
    await writeWhole(file, toPriceFile(rules, now))
    cli.tell({ file, rules: rules.length }, `${file}: ${rules.length} price rules.`)
    return 0
  },
}
