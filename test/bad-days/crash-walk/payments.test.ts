import { channelWalks } from './channel-walk.ts'
import { defineWalks } from './define-walks.ts'
import { paymentWalks } from './payment-walks.ts'
import { programmeWalks } from './programme-walks.ts'

const PAGE = 'a page: it changes nothing'
const CHAINS = 'of chains: chains.test.ts'
const COMMAND = 'of the command line: every-command.test.ts'
const REFUND = 'of the command line: payment-refund.test.ts'

defineWalks({
  walks: [...paymentWalks, ...programmeWalks, ...channelWalks],
  statements: [
    'core/payments/queries',
    'house/money/move-money.ts',
    'core/programmes/loyalty/queries.ts',
    'surfaces/telegram/reward/queries.ts',
  ],
  elsewhere: {
    'core/payments/queries/arrivals.ts findIdByTransaction payment-id-by-transaction': CHAINS,
    'core/payments/queries/arrivals.ts findWaiting payment-waiting': CHAINS,
    'core/payments/queries/open-payment.ts findOpenBySystem payment-open-by-system': CHAINS,
    'core/payments/queries/open-payment.ts lockOpenBySystem payment-open-lock': CHAINS,
    'core/payments/queries/open-payment.ts rememberKey payment-key-remember': CHAINS,
    'core/programmes/loyalty/queries.ts listRewards loyalty-rewards': PAGE,
    'core/payments/queries/gateways.ts listGatewayRows': 'it is read again each second',
    'core/payments/queries/gateways.ts resealGateway': 'it is written again at the next start',
    'core/payments/queries/beginning.ts releaseKeys payment-release-keys': 'begin-payment.test.ts',
    'core/payments/queries/events.ts insertRefused gateway-event-refused': 'hard-days.test.ts',
    'core/payments/queries/events.ts insertRepeated gateway-event-repetition': 'payment-events.test.ts',
    'core/payments/queries/events.ts settleRefused gateway-event-refuse': 'it is read again at the next run',
    'core/payments/queries/events.ts settleRepeated gateway-event-repeated': 'it is settled again at the next run',
    'core/payments/queries/payments.ts countPayments payments-count': PAGE,
    'core/payments/queries/payments.ts listOpenPayments payments-open': PAGE,
    'core/payments/queries/payments.ts listPayments payments-list': PAGE,
    'core/payments/queries/payments.ts noteUnpayable payment-unpayable': 'begin-payment.test.ts',
    'core/payments/queries/money.ts findDeposit deposit-find': COMMAND,
    'core/payments/queries/money.ts storeShares reversal-shares':
      'level-shares.test.ts, in the transaction of a settlement',
    'core/payments/queries/refund-keys.ts findRefundByKey refund-by-key': REFUND,
    'core/payments/queries/refund-keys.ts findSameRefund refund-same': REFUND,
    'core/payments/queries/refund-keys.ts storeRefundKey refund-key': REFUND,
    'core/payments/queries/refunds.ts cancelRefunds refunds-cancel': COMMAND,
    'core/payments/queries/refunds.ts queueRefund refund-queue': COMMAND,
    'core/payments/queries/vouchers.ts insertVouchers': COMMAND,
    'core/payments/queries/vouchers.ts withdrawVouchers': COMMAND,
  },
})
