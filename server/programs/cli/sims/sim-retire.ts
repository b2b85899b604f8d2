import { retireSim } from '#server/adapters/shared/own-numbers/sims/queries.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { readPhone } from '#server/programs/cli/listing.ts'

export const retireSimByHand: Command = {
  name: 'sim:retire',
  summary: 'take a SIM card out: its number is sold no more, its slot is free; whoever has it keeps it to the end',
  values: ['PHONE'],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const phone = readPhone(given.values[0]) ?? ''
    return makeChange(cli, { name: 'sim:retire', given }, async (tx, now) => {
      const reason = `by hand: ${given.options.reason ?? ''}`.slice(0, REASON_LENGTH)
      const retired = await retireSim(tx, { phone, reason, now })
      if (!retired) throw new CommandRefused(`There is no SIM card with ${phone}, or it is retired already`)
      await raiseCatalogVersion(tx, now)
      return { subject: `sim:${phone}`, detail: {}, says: `The SIM card with ${phone} is retired.` }
    })
  },
}

const REASON_LENGTH = 200
