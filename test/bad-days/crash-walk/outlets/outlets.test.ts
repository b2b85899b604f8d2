import { defineWalks } from '../define-walks.ts'
import { outletWalks } from './outlet-walks.ts'

defineWalks({
  walks: outletWalks,
  statements: ['adapters/sim-bank/serve/queries'],
  elsewhere: {
    'adapters/sim-bank/serve/queries/outlets.ts listOutletsToOpen outlets-to-open':
      'of a changed key: it changes nothing',
    'adapters/sim-bank/serve/queries/outlets.ts resealOutlet outlet-reseal': 'of a changed key: it is done again',
  },
})
