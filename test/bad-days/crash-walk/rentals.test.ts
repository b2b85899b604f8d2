import { defineWalks } from './define-walks.ts'
import { preorderWalks } from './preorder-walks.ts'
import { rentalWalks } from './rental-walks.ts'

defineWalks({
  walks: [...rentalWalks, ...preorderWalks],
  statements: [
    ...['end', 'extend', 'read', 'reserve'].map((name) => `core/numbers/rentals/queries/${name}.ts`),
    'core/numbers/preorders/queries',
    'core/numbers/refunds/queries',
  ],
  elsewhere: {
    'core/numbers/preorders/queries/read.ts findNewestSale preorder-newest-sale':
      'only reads, for a hint: preorders.test.ts',
    'core/numbers/refunds/queries/pay-back.ts rentalOfCharge refund-rental-of-charge':
      'of the command line: money-commands.test.ts',
  },
})
