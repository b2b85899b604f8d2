import { activationWalks } from './activation-walks.ts'
import { defineWalks } from './define-walks.ts'

defineWalks({
  walks: activationWalks,
  statements: [
    ...['end', 'not-mine', 'purchase', 'read', 'replace', 'used'].map(
      (name) => `core/numbers/activations/queries/${name}.ts`,
    ),
    'core/numbers/limits/queries.ts',
    // Only staff read the queries of an order's time-line, so they are left out here.
    ...['messages', 'page'].map((name) => `core/numbers/listing/queries/${name}.ts`),
    'core/numbers/sourcing/queries',
  ],
  elsewhere: {
    'core/numbers/activations/queries/read.ts listActive activation-list-active-': 'a page: it changes nothing',
    'core/numbers/activations/queries/read.ts findStatus activation-status': 'a poll: it changes nothing',
    'core/numbers/limits/queries.ts findLimits limits-find-spend': 'of extensions: rentals.test.ts',
    'core/numbers/limits/queries.ts listOpenPauses limits-list-pauses': 'a page: it changes nothing',
    'core/numbers/sourcing/queries/not-for-sale.ts isNotForSale sourcing-not-for-sale':
      'whose fault it is that a number cannot be given: it changes nothing',
    'core/numbers/sourcing/queries/unsettled.ts countUnsettled numbers-count-unsettled': 'a gauge: it changes nothing',
  },
})
