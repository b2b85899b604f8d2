import { defineWalks } from './define-walks.ts'
import { secondFactorWalks } from './second-factor-walks.ts'

defineWalks({
  walks: secondFactorWalks,
  statements: ['features/two-factor/queries.ts'],
  elsewhere: {
    'features/two-factor/queries.ts findTwoFactorState': 'a page: it changes nothing',
    'features/two-factor/queries.ts insertPendingLogin':
      'one statement by itself, of a social sign-in that is begun anew',
    'features/two-factor/queries.ts listTwoFactor': 'of a new SECRET_KEY: one row after another, done again each hour',
    'features/two-factor/queries.ts resealSecret': 'of a new SECRET_KEY: one row after another, done again each hour',
  },
})
