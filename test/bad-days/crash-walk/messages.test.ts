import { defineWalks } from './define-walks.ts'
import { messageWalks } from './message-walks.ts'

defineWalks({
  walks: messageWalks,
  statements: [
    'features/activations/queries/sms.ts',
    'features/rentals/queries/sms.ts',
    'features/delivery/queries/claims.ts',
    'features/delivery/queries/store.ts',
    'features/delivery/queries/unmatched.ts',
  ],
  elsewhere: {
    'features/delivery/queries/store.ts keepLate message-keep-late':
      'one statement by itself, for an order that ends in the moment between two others',
    'features/delivery/queries/unmatched.ts listAside': 'a list for staff: it changes nothing',
    'features/delivery/queries/unmatched.ts findGiven': 'of pages that are told: it changes nothing',
  },
})
