import { activationWalks } from './activation-walks.ts'
import { defineWalks } from './define-walks.ts'

defineWalks({
  walks: activationWalks,
  statements: [
    ...['end', 'purchase', 'read', 'replace', 'used'].map((name) => `features/activations/queries/${name}.ts`),
    'features/limits/queries.ts',
    'features/numbers/queries',
  ],
  elsewhere: {
    'features/activations/queries/read.ts listActive activation-list-active-': 'a page: it changes nothing',
    'features/limits/queries.ts findLimits limits-find-spend': 'of extensions: rentals.test.ts',
    'features/limits/queries.ts listOpenPauses limits-list-pauses': 'a page: it changes nothing',
    'features/numbers/queries/unsettled.ts countUnsettled numbers-count-unsettled': 'a gauge: it changes nothing',
  },
})
