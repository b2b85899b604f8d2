import { MINUTE } from '#contract/time.ts'
import { chainWalks } from './chain-walks.ts'
import { defineWalks } from './define-walks.ts'

const RARE = 'of a block that comes back: evm-reorganisations.test.ts'
const COIN = 'of the coin: evm.test.ts'
const COMMAND = 'of the command line: every-command.test.ts'
const FAULTS = 'read for alarms: evm-nodes.test.ts'

defineWalks({
  walks: chainWalks,
  limitMs: 10 * MINUTE,
  statements: [
    'adapters/shared/chain/queries',
    'core/payments/queries/arrivals.ts',
    'core/payments/queries/open-payment.ts',
  ],
  elsewhere: {
    'adapters/shared/chain/queries/deposits.ts findAgain chain-deposit-again': RARE,
    'adapters/shared/chain/queries/deposits.ts setDepositState chain-deposit-state': 'without a rate: evm.test.ts',
    'adapters/shared/chain/queries/findings.ts findFaults chain-faults': FAULTS,
    'adapters/shared/chain/queries/findings.ts insertFinding chain-finding-insert': COIN,
    'adapters/shared/chain/queries/findings.ts listCoinExpected chain-coin-expected': COIN,
    'adapters/shared/chain/queries/findings.ts storeBalance chain-balance-store': COIN,
    'adapters/shared/chain/queries/findings.ts sumCoin chain-coin-sum': COIN,
    'adapters/shared/chain/queries/watches.ts beginWatch chain-watch-begin': 'once for each gateway: it is done again',
    'adapters/shared/chain/queries/watches.ts rewindWatch chain-watch-rewind': COMMAND,
    'adapters/shared/chain/queries/watches.ts setStopped chain-watch-stop': 'of wrong settings: evm-nodes.test.ts',
  },
})
