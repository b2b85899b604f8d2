import { defineSet, type Holder } from '#server/programs/cli/settings/define-set.ts'
import { endOverlap } from '#server/programs/cli/settings/rotate-key.ts'
import { checkOutletSettings } from './outlet-settings.ts'
import { changeOutlet, lockOutlet, type OutletState } from './queries.ts'

export const outletSettings: Holder<OutletState> = {
  noun: 'outlet',
  lock: lockOutlet,
  check: (_cli, tx, { code, settings }) => checkOutletSettings(tx, code, settings),
  store: (tx, { id, settings }) => changeOutlet(tx, { id, settings }),
}

export const setOutlet = defineSet(outletSettings, { follows: 'the next call follows them', rule: endOverlap })
