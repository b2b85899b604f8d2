import { CommandRefused } from '#server/programs/cli/command.ts'
import { defineRotation } from '#server/programs/cli/settings/rotate-key.ts'
import { checkOutletSettings } from './outlet-settings.ts'
import { changeOutlet, lockOutlet } from './queries.ts'

export const rotateOutletKey = defineRotation({
  noun: 'outlet',
  summary: 'give an outlet another key of the protocol; the one before holds for HOURS more, both ways',
  async lock(tx, code) {
    const outlet = await lockOutlet(tx, code)
    if (outlet === null) throw new CommandRefused(`There is no outlet ${code}`)
    return outlet
  },
  check: (_cli, tx, { code, settings }) => checkOutletSettings(tx, code, settings),
  store: (tx, { id, settings }) => changeOutlet(tx, { id, settings }),
})
