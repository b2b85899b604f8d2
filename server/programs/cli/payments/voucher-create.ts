import { CURRENCIES, parseDecimal, toDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import { insertVouchers } from '#server/core/payments/queries/vouchers.ts'
import { hashVoucher } from '#server/core/payments/redeem-voucher.ts'
import { readableCode } from '#server/house/readable-code.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { lockGateway } from '#server/programs/cli/queries/gateways.ts'

const MAX_VOUCHERS = 10_000
const MAX_DAYS = 3_650
/** Each character of a voucher's code carries 5 bits. */
const CODE_LENGTH = 16
const BATCH_PATTERN = /^[A-Za-z0-9._-]{1,40}$/

export const createVouchers: Command = {
  name: 'voucher:create',
  summary:
    'make COUNT vouchers of AMOUNT for a vouchers gateway; their codes are printed once and only their hashes are kept',
  values: ['GATEWAY', 'COUNT', 'AMOUNT'],
  options: {
    currency: { shows: CURRENCIES.join('|'), required: true },
    batch: { shows: 'NAME', required: true },
    days: { shows: '365' },
  },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', countText = '', amountText = ''] = given.values
    const { batch = '', days } = given.options
    const count = readWhole('COUNT', countText, MAX_VOUCHERS)
    const amountMicros = parseDecimal(amountText)
    if (amountMicros === null || amountMicros <= 0n) throw new WrongUsage('AMOUNT is such as 500.00')
    const currency = CURRENCIES.find((one) => one === given.options.currency)
    if (currency === undefined) throw new WrongUsage(`--currency is one of ${CURRENCIES.join(', ')}`)
    if (!BATCH_PATTERN.test(batch)) throw new WrongUsage('--batch is 1 to 40 letters, digits, dots, hyphens')
    const validDays = days === undefined ? null : readWhole('--days', days, MAX_DAYS)
    return makeChange(cli, { name: 'voucher:create', given }, async (tx, now) => {
      const gateway = await lockGateway(tx, code)
      if (gateway?.kind !== 'vouchers') throw new CommandRefused(`There is no vouchers gateway ${code}`)
      const codes = Array.from({ length: count }, () => readableCode(cli.random.bytes(CODE_LENGTH)))
      const expiresAt = validDays === null ? null : new Date(now.getTime() + validDays * DAY)
      const codeHashes = codes.map(hashVoucher)
      await insertVouchers(tx, { gatewayId: gateway.id, codeHashes, amountMicros, currency, batch, now, expiresAt })
      const detail = { count, amount: toDecimal(amountMicros), currency, batch }
      const says = `Made ${count} vouchers of ${toDecimal(amountMicros)} ${currency}.`
      return { subject: `gateway:${code}`, detail, says, secret: { name: 'codes', value: codes.join('\n') } }
    })
  },
}

function readWhole(name: string, text: string, most: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw new WrongUsage(`${name} is a number from 1 to ${most}`)
  return value
}
