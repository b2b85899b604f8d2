import {
  amount,
  checked,
  fitting,
  inBoth,
  integer,
  isWebAddress,
  judged,
  type Problem,
  partsOf,
  type Table,
} from './kinds.ts'

const ADDRESS_PATTERN = /^[^\s@<>,]+@[^\s@<>,]+$/
const CHAT_PATTERN = /^-?\d{1,18}$/
const SECRET_MIN_LENGTH = 16
const STOCK_PATTERN = /^(?:([^\s:]+):)?(\d{1,7})$/
const MOST_STOCK = 1_000_000
const STOCK_RULE = `be a number up to ${MOST_STOCK}, or such as 50,rack:3 with a supplier's code`

/** Stock limits below which an alarm is raised: `of` by supplier code, `each` for other suppliers. 0 means no alarm. */
type Stock = { each: number; of: ReadonlyMap<string, number> }

const balance = amount(null, 'be an amount above zero, such as 500.00', false)

export const ALARM_SETTINGS = {
  ALARM_MAIL: [
    fitting('be one address', (given) => ADDRESS_PATTERN.test(given)),
    'This address is [told of alarms](operations/monitoring.md#alarms).',
  ],
  ALARM_TELEGRAM_CHAT: [
    checked<bigint | null>({
      must: 'be the number of a chat, such as -1001234567890',
      standard: null,
      parse: (given) => (CHAT_PATTERN.test(given) ? BigInt(given) : undefined),
    }),
    'The bot tells this chat of alarms.',
  ],
  ALARM_WEBHOOK: [
    fitting('be an address that begins with https:// or http://', isWebAddress),
    'This address is told of alarms.',
  ],
  ALARM_WEBHOOK_SECRET: [
    fitting(`have at least ${SECRET_MIN_LENGTH} characters`, (given) => given.length >= SECRET_MIN_LENGTH),
    'The secret signs what `ALARM_WEBHOOK` is sent; both are set together.',
  ],
  ALARM_UNMATCHED: [
    integer(20, 1, 100_000),
    'An alarm rings when more messages than these reach nobody within an hour.',
  ],
  ALARM_STOCK: [
    judged<Stock>({
      must: STOCK_RULE,
      standard: { each: 0, of: new Map() },
      shown: '`0`',
      parse: readStock,
    }),
    'An alarm rings when a supplier has fewer numbers; 0: never. `50,rack:3` gives the supplier `rack` a number of its own.',
  ],
  ...inBoth(
    'ALARM_BALANCE',
    [balance, balance],
    'An alarm rings when less money of ours is at a supplier, by the currency of its account.',
  ),
  ALARM_SILENCE_MINUTES: [
    integer(10, 0, 1440),
    'An alarm rings after so long without a message from a supplier while people wait; 0: never.',
  ],
} satisfies Table

function readStock(given: string, problem: Problem): Stock | undefined {
  const of = new Map<string, number>()
  let each = 0
  for (const part of partsOf(given)) {
    const [, code, digits] = STOCK_PATTERN.exec(part) ?? []
    const count = Number(digits)
    if (!(count <= MOST_STOCK)) problem(`must ${STOCK_RULE}`)
    else if (code === undefined) each = count
    else of.set(code, count)
  }
  return { each, of }
}
