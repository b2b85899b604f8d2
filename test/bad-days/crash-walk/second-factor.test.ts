import { defineWalks } from './define-walks.ts'
import { secondFactorWalks } from './second-factor-walks.ts'

defineWalks({
  walks: secondFactorWalks,
  statements: ['core/accounts/two-factor/queries.ts'],
  elsewhere: {
    'core/accounts/two-factor/queries.ts findTwoFactorState': 'a page: it changes nothing',
    'core/accounts/two-factor/queries.ts insertPendingLogin':
      'one statement by itself, of a social sign-in that is begun anew',
    'core/accounts/two-factor/queries.ts listTwoFactor':
      'of a new SECRET_KEY: one row after another, done again each hour',
    'core/accounts/two-factor/queries.ts resealSecret':
      'of a new SECRET_KEY: one row after another, done again each hour',
  },
})
