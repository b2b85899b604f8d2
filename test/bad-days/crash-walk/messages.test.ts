import { defineWalks } from './define-walks.ts'
import { messageWalks } from './message-walks.ts'

defineWalks({
  walks: messageWalks,
  statements: [
    'core/numbers/activations/queries/sms.ts',
    'core/numbers/rentals/queries/sms.ts',
    'core/numbers/delivery/queries/claims.ts',
    'core/numbers/delivery/queries/store.ts',
    'core/numbers/delivery/queries/unmatched.ts',
  ],
  elsewhere: {
    'core/numbers/delivery/queries/store.ts keepLate message-keep-late':
      'one statement by itself, for an order that ends in the moment between two others',
    'core/numbers/delivery/queries/store.ts isReused message-is-reused':
      'read after the index refused a repeat, to count it: it changes nothing',
    ...Object.fromEntries(
      ['', '-words'].map((by) => [
        `core/numbers/delivery/queries/store.ts findStored message-find-stored${by}`,
        'read of a repeat whose first answer was lost: it changes nothing',
      ]),
    ),
    'core/numbers/delivery/queries/unmatched.ts listAside': 'a list for staff: it changes nothing',
    'core/numbers/delivery/queries/unmatched.ts findGiven': 'of pages that are told: it changes nothing',
  },
})
