import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { CURRENCIES } from '#contract/money.ts'

const SHOWN_MOVES = ['capture', 'refund', 'topup', 'payment_refund']
const SECONDS = [1, 3, 5, 10, 20, 30, 60, 120, 300, 600, 1200]

/** Creates the metrics of sales, held money and queues, without play money. Money is in units of its currency. */
export function createBusinessMetrics(registers: Registry[]) {
  const moved = new Counter({
    name: 'ringpost_money_moved_total',
    help: 'Money moved in the books since the start, by kind of transfer: capture is a sale, topup a deposit',
    labelNames: ['kind', 'currency'] as const,
    registers,
  })
  const moves = new Counter({
    name: 'ringpost_money_moves_total',
    help: 'Transfers in the books since the start, by kind',
    labelNames: ['kind', 'currency'] as const,
    registers,
  })
  const smsReceived = new Counter({
    name: 'ringpost_sms_total',
    help: 'Messages handed over by suppliers: matched, unmatched, repeated, or reused: an earlier one of other words had the id',
    labelNames: ['result'] as const,
    registers,
  })
  // The counters exist before the first SMS, so that an alarm can notice that no SMS arrives at all.
  for (const result of ['matched', 'unmatched']) smsReceived.inc({ result }, 0)
  for (const counter of [moved, moves]) {
    for (const kind of SHOWN_MOVES) for (const currency of CURRENCIES) counter.inc({ kind, currency }, 0)
  }
  return {
    smsReceived,
    moneyMoved: moved,
    moneyMoves: moves,
    accountsMoney: new Gauge({
      name: 'ringpost_accounts_money',
      help: 'Money of all members: available, held for open orders, and debt that they owe',
      labelNames: ['state', 'currency'] as const,
      registers,
    }),
    outcomes: new Counter({
      name: 'ringpost_outcomes_total',
      help: 'Activations that ended, by supplier and whether a code came: the share of codes',
      labelNames: ['supplier', 'result'] as const,
      registers,
    }),
    firstCode: new Histogram({
      name: 'ringpost_first_code_seconds',
      help: 'Time from the purchase of an activation to its first code',
      buckets: SECONDS,
      registers,
    }),
    waiting: new Gauge({
      name: 'ringpost_waiting_activations',
      help: 'Activations that wait for their first code',
      registers,
    }),
    waitingOldest: new Gauge({
      name: 'ringpost_waiting_activations_oldest_seconds',
      help: 'Age of the oldest of these; 0 when there is none',
      registers,
    }),
    supplierStock: new Gauge({
      name: 'ringpost_supplier_stock',
      help: 'Numbers that the supplier has to sell, as it was last seen',
      labelNames: ['supplier'] as const,
      registers,
    }),
    jobs: new Gauge({
      name: 'ringpost_jobs',
      help: 'Jobs that are due and wait for hands, by task: send-mail is the queue of letters',
      labelNames: ['task'] as const,
      registers,
    }),
    jobsOldest: new Gauge({
      name: 'ringpost_jobs_oldest_seconds',
      help: 'How long the oldest of these has waited',
      labelNames: ['task'] as const,
      registers,
    }),
    jobsGivenUp: new Gauge({
      name: 'ringpost_jobs_given_up',
      help: 'Jobs that failed as often as they may, until they are cleaned up',
      labelNames: ['task'] as const,
      registers,
    }),
    alarms: new Gauge({
      name: 'ringpost_alarms',
      help: 'Alarms that stand, by kind',
      labelNames: ['kind'] as const,
      registers,
    }),
  }
}
