import { defineWalks } from './define-walks.ts'
import { paymentWalks } from './payment-walks.ts'
import { programmeWalks } from './programme-walks.ts'

const PAGE = 'a page: it changes nothing'
const CHAINS = 'of chains: chains.test.ts'
const COMMAND = 'of the command line: every-command.test.ts'

defineWalks({
  walks: [...paymentWalks, ...programmeWalks],
  statements: ['payments/queries', 'money/move-money.ts', 'programmes/loyalty/queries.ts'],
  elsewhere: {
    'payments/queries/arrivals.ts findIdByTransaction payment-id-by-transaction': CHAINS,
    'payments/queries/arrivals.ts findWaiting payment-waiting': CHAINS,
    'payments/queries/open-payment.ts findOpenBySystem payment-open-by-system': CHAINS,
    'payments/queries/open-payment.ts rememberKey payment-key-remember': CHAINS,
    'programmes/loyalty/queries.ts listRewards loyalty-rewards': PAGE,
    'payments/queries/gateways.ts listGatewayRows': 'it is read again each second',
    'payments/queries/gateways.ts noteFailure gateway-failure': 'payment-events.test.ts',
    'payments/queries/gateways.ts resealGateway': 'it is written again at the next start',
    'payments/queries/payments.ts countPayments payments-count': PAGE,
    'payments/queries/payments.ts listOpenPayments payments-open': PAGE,
    'payments/queries/payments.ts listPayments payments-list': PAGE,
    'payments/queries/vouchers.ts insertVouchers': COMMAND,
    'payments/queries/vouchers.ts withdrawVouchers': COMMAND,
  },
})
