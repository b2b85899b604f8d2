import { defineWalks } from './define-walks.ts'
import { preorderWalks } from './preorder-walks.ts'
import { rentalWalks } from './rental-walks.ts'

defineWalks({
  walks: [...rentalWalks, ...preorderWalks],
  statements: [
    ...['end', 'extend', 'read', 'reserve'].map((name) => `features/rentals/queries/${name}.ts`),
    'features/preorders/queries',
  ],
  elsewhere: {
    'features/rentals/queries/extend.ts chargeLateExtension rental-charge-late-extension':
      'one statement by itself; without it our cost of a late grant is uncounted, and the log says so',
  },
})
