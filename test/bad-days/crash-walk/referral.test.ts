import { defineWalks } from './define-walks.ts'
import { referralWalks } from './referral-walks.ts'

const PAGE = 'a page: it changes nothing'

defineWalks({
  walks: referralWalks,
  statements: ['core/programmes/referral/queries'],
  elsewhere: {
    'core/programmes/referral/queries/figures.ts findFigures referral-figures': PAGE,
    'core/programmes/referral/queries/figures.ts listShareDays referral-share-days': PAGE,
    'core/programmes/referral/queries/given-share.ts findGivenShare referral-given-share':
      'of the command line: payment-refund.test.ts',
    'core/programmes/referral/queries/withdrawals.ts countWithdrawals referral-withdrawals-count': PAGE,
    'core/programmes/referral/queries/withdrawals.ts findOpenWithdrawal referral-withdrawal-open': PAGE,
    'core/programmes/referral/queries/withdrawals.ts listWithdrawals referral-withdrawals-list': PAGE,
  },
})
