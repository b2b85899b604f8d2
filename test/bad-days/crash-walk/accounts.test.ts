import { accountWalks } from './account-walks.ts'
import { defineWalks } from './define-walks.ts'

const PAGE = 'a page: it changes nothing'
const COMMAND = 'of the command line: run-cli.test.ts'

defineWalks({
  walks: accountWalks,
  statements: [
    'features/registration/queries.ts',
    'features/sessions/queries.ts',
    'features/sessions/confirmation-queries.ts',
    'features/passwords/queries.ts',
    'features/emails/queries.ts',
    'features/users/queries.ts',
    'mail/queue-mail.ts',
  ],
  elsewhere: {
    'features/emails/queries.ts findPendingEmail email-code-find': PAGE,
    'features/sessions/confirmation-queries.ts isConfirmedSince': 'second-factor.test.ts',
    'features/sessions/queries.ts findByRefreshToken session-by-refresh': PAGE,
    'features/sessions/queries.ts hasUsedAddress': 'second-factor.test.ts',
    'features/sessions/queries.ts listLiveSessions': PAGE,
    'features/users/queries.ts findKeyOwner api-key-owner': 'it looks up who calls, as session-by-access does',
    'features/users/queries.ts isBlocked user-is-blocked': 'second-factor.test.ts',
    'features/users/queries.ts listShutOutSince': 'it is read again each second',
    'features/users/queries.ts replaceApiKey': COMMAND,
    'features/users/queries.ts setBlocked': COMMAND,
    'features/users/queries.ts setSignedOut': COMMAND,
  },
})
