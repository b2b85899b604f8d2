import { accountWalks } from './account-walks.ts'
import { defineWalks } from './define-walks.ts'

const PAGE = 'a page: it changes nothing'
const COMMAND = 'of the command line: run-cli.test.ts'

defineWalks({
  walks: accountWalks,
  statements: [
    'core/accounts/registration/queries.ts',
    'core/accounts/sessions/queries.ts',
    'core/accounts/sessions/confirmation-queries.ts',
    'core/accounts/passwords/queries.ts',
    'core/accounts/emails/queries.ts',
    'core/accounts/users/queries.ts',
    'house/mail/queue-mail.ts',
  ],
  elsewhere: {
    'core/accounts/emails/queries.ts findPendingEmail email-code-find': PAGE,
    'core/accounts/sessions/confirmation-queries.ts isConfirmedSince': 'second-factor.test.ts',
    'core/accounts/sessions/queries.ts findByRefreshToken session-by-refresh': PAGE,
    'core/accounts/sessions/queries.ts findLiveSession session-find-live': 'it only reads: buy-many.test.ts',
    'core/accounts/sessions/queries.ts hasUsedAddress': 'second-factor.test.ts',
    'core/accounts/sessions/queries.ts isEndedByRole': 'the words of a refusal: it changes nothing',
    'core/accounts/sessions/queries.ts listLiveSessions session-list-live': PAGE,
    'core/accounts/sessions/queries.ts listStandingSessions session-list-standing':
      'it is read again every ten seconds',
    'core/accounts/users/queries.ts isBlocked user-is-blocked': 'second-factor.test.ts',
    'core/accounts/users/queries.ts listShutOutSince': 'it is read again each second',
    'core/accounts/users/queries.ts setBlocked': COMMAND,
    'core/accounts/users/queries.ts setRole': COMMAND,
    'core/accounts/users/queries.ts setSignedOut': COMMAND,
  },
})
