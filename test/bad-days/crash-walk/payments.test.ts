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
    'payments/queries/arrivals.ts findIdByTransaction payment-id-by-transaction': CHAINS,
    'payments/queries/arrivals.ts findWaiting payment-waiting': CHAINS,
    'payments/queries/open-payment.ts findOpenBySystem payment-open-by-system': CHAINS,
    'payments/queries/open-payment.ts lockOpenBySystem payment-open-lock': CHAINS,
    'payments/queries/open-payment.ts rememberKey payment-key-remember': CHAINS,
    'programmes/loyalty/queries.ts listRewards loyalty-rewards': PAGE,
    'payments/queries/gateways.ts listGatewayRows': 'it is read again each second',
    'payments/queries/gateways.ts resealGateway': 'it is written again at the next start',
    'payments/queries/beginning.ts releaseKeys payment-release-keys': 'begin-payment.test.ts',
    'payments/queries/events.ts insertRefused gateway-event-refused': 'hard-days.test.ts',
    'payments/queries/events.ts insertRepeated gateway-event-repetition': 'payment-events.test.ts',
    'payments/queries/events.ts settleRefused gateway-event-refuse': 'it is read again at the next run',
    'payments/queries/events.ts settleRepeated gateway-event-repeated': 'it is settled again at the next run',
    'payments/queries/payments.ts countPayments payments-count': PAGE,
    'payments/queries/payments.ts listOpenPayments payments-open': PAGE,
    'payments/queries/payments.ts listPayments payments-list': PAGE,
    'payments/queries/payments.ts noteUnpayable payment-unpayable': 'begin-payment.test.ts',
    'payments/queries/money.ts findDeposit deposit-find': COMMAND,
    'payments/queries/money.ts storeShares reversal-shares': 'level-shares.test.ts, in the transaction of a settlement',
    'payments/queries/refund-keys.ts findRefundByKey refund-by-key': REFUND,
    'payments/queries/refund-keys.ts findSameRefund refund-same': REFUND,
    'payments/queries/refund-keys.ts storeRefundKey refund-key': REFUND,
    'payments/queries/refunds.ts cancelRefunds refunds-cancel': COMMAND,
    'payments/queries/refunds.ts queueRefund refund-queue': COMMAND,
    'payments/queries/vouchers.ts insertVouchers': COMMAND,
    'payments/queries/vouchers.ts withdrawVouchers': COMMAND,
  },
})
