import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { readCount } from '#server/programs/cli/listing.ts'
import { setRoute } from '#server/programs/cli/queries/suppliers.ts'

const MOST_PERCENT = 1_000
const MOST_PER_MINUTE = 9_999

export const routeSupplier: Command = {
  name: 'supplier:route',
  summary: 'how much a supplier is preferred at one price (100 is even), and how many purchases a minute go to it',
  values: ['CODE'],
  options: { weight: { shows: `1-${MOST_PERCENT}` }, 'per-minute': { shows: 'N|none' } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    const { weight, 'per-minute': perMinute } = given.options
    if (weight === undefined && perMinute === undefined) throw new WrongUsage('Give --weight, --per-minute or both')
    const weightPercent =
      weight === undefined ? null : readCount('weight', weight, { otherwise: 100, atMost: MOST_PERCENT })
    const isFree = perMinute === 'none'
    const most = isFree ? undefined : perMinute
    const limit = most === undefined ? null : readCount('per-minute', most, { otherwise: 1, atMost: MOST_PER_MINUTE })
    return makeChange(cli, { name: 'supplier:route', given }, async (tx, now) => {
      const supplier = await lockSupplier(tx, code)
      if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
      const route = await setRoute(tx, { id: supplier.id, weightPercent, limit, isFree })
      await raiseCatalogVersion(tx, now)
      const says = `${code}: weight ${route.weight_percent} %, ${route.purchases_per_minute ?? 'any number of'} purchases a minute.`
      return { subject: `supplier:${code}`, detail: { ...route }, says }
    })
  },
}
