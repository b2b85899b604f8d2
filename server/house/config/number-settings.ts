import { amount, checked, inBoth, integer, type Table } from './kinds.ts'

const MOST = 1_000_000
const OPEN_NUMBERS = integer(1000, 1, MOST)

export const NUMBER_SETTINGS = {
  ACTIVATION_SECONDS: [integer(1200, 1, 86_400), "A number is the buyer's for so long."],
  EARLY_CANCEL_SECONDS: [integer(120, 0, 86_400), 'A number cannot be cancelled for so long.'],
  USED_FREE: [
    integer(10, 0, MOST),
    'A buyer says "used" so often in 24 hours [without the wait of a cancel](operations/staff.md#limits-and-pauses).',
  ],
  USED_FREE_PERCENT: [
    integer(30, 0, 100),
    'A buyer also says it for so many per cent of the purchases of a service in a country, if that is more.',
  ],
  USED_IN_A_ROW: [integer(15, 1, MOST), 'A buyer says it at most so often in a row without a code in between.'],
  MAX_OPEN_NUMBERS: [
    checked<number | null>({
      ...OPEN_NUMBERS,
      parse: (given) => (given === 'none' ? null : OPEN_NUMBERS.parse(given, () => undefined)),
    }),
    'An account has so many activations and rentals open at once; `none` is no limit.',
  ],
  ...inBoth(
    'MAX_DAY_SPEND',
    [amount(null), amount(null)],
    'An account spends so much within 24 hours; `none` is no limit. Money that came back is not spent.',
  ),
  ...inBoth(
    'MAX_CREDIT',
    [amount('50000.00'), amount('500.00')],
    'Each `user:credit` gives or takes so much without `--yes`; `none` is no limit.',
  ),
  ...inBoth(
    'STAFF_REFUND_CAP',
    [amount('1000.00'), amount('10.00')],
    'The role `support` gives back so much in a ticket, and to a buyer in 24 hours ([how it counts](support.md#money-back)); `none` is no limit.',
  ),
  ...inBoth(
    'STAFF_REFUND_DAY_CAP',
    [amount('10000.00'), amount('100.00')],
    'A member of staff with that role gives back so much within 24 hours; `none` is no limit.',
  ),
  ...inBoth(
    'STAFF_REFUND_OPERATOR_DAY_CAP',
    [amount('100000.00'), amount('1000.00')],
    'An operator gives back so much within 24 hours; `none` is no limit.',
  ),
} satisfies Table
