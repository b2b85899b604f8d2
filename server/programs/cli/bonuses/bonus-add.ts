import { pointsOf } from '#contract/formats/payment-terms.ts'
import { CURRENCIES, parseDecimal, toDecimal } from '#contract/money.ts'
import { BONUS_KINDS } from '#contract/payment.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Arguments, type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { type BonusRuleTerms, insertBonusRule } from '#server/programs/cli/queries/bonuses.ts'
import { readMoment } from '#server/programs/cli/read-moment.ts'
import { describeTerms } from './describe-terms.ts'

const NAME_PATTERN = /^[A-Za-z0-9._-]{1,40}$/
const MOST_POINTS = 10_000

export const addBonusRule: Command = {
  name: 'bonus:add',
  summary: 'promise a bonus for a top-up, once for each account: for its first one, or for one above (from) --least',
  values: ['NAME', BONUS_KINDS.join('|')],
  options: {
    currency: { shows: CURRENCIES.join('|'), required: true },
    percent: { shows: '10' },
    amount: { shows: '100.00' },
    least: { shows: '500.00' },
    most: { shows: '1000.00' },
    from: { shows: '2026-12-01' },
    until: { shows: '2027-01-01' },
  },
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const terms = readTerms(given, cli.clock.now())
    return makeChange(cli, { name: 'bonus:add', given }, async (tx, now) => {
      refuseGift(given, terms)
      if ((await insertBonusRule(tx, { ...terms, now })) === null) {
        throw new CommandRefused(`There is a rule ${terms.name} already: the name of an ended one is not used again`)
      }
      const { name, kind, currency } = terms
      const words = describeTerms(terms)
      return { subject: `bonus:${name}`, detail: { kind, currency, terms: words }, says: `${name} promises ${words}.` }
    })
  },
}

function readTerms({ values: [name = '', word = ''], options }: Arguments, now: Date): BonusRuleTerms {
  if (!NAME_PATTERN.test(name)) throw new WrongUsage('NAME is 1 to 40 letters, digits, dots, hyphens')
  const kind = BONUS_KINDS.find((one) => one === word)
  if (kind === undefined) throw new WrongUsage(`a rule is ${BONUS_KINDS.join(' or ')}`)
  const currency = CURRENCIES.find((one) => one === options.currency)
  if (currency === undefined) throw new WrongUsage(`--currency is one of ${CURRENCIES.join(', ')}`)
  const [points, amountMicros] = [readPercent(options.percent), readAmount('amount', options.amount)]
  if ((points === null) === (amountMicros === null)) throw new WrongUsage('one of --percent and --amount is needed')
  const leastMicros = readAmount('least', options.least)
  if (kind === 'above' && leastMicros === null) throw new WrongUsage('--least says from which amount on')
  const [beginsAt, endsAt] = [readMoment('from', options.from) ?? now, readMoment('until', options.until)]
  if (endsAt !== null && endsAt <= (beginsAt > now ? beginsAt : now)) {
    throw new WrongUsage('--until is after now and after --from')
  }
  const mostMicros = readAmount('most', options.most)
  return { name, kind, currency, leastMicros: leastMicros ?? 0n, points, amountMicros, mostMicros, beginsAt, endsAt }
}

/**
 * Refuses a percentage bonus without a maximum, or a fixed bonus above its minimum top-up, unless `--yes` is given.
 * Many accounts would claim such a bonus.
 */
function refuseGift(
  given: Arguments,
  { leastMicros, points, amountMicros, mostMicros, currency }: BonusRuleTerms,
): void {
  if (amountMicros !== null && amountMicros > leastMicros) {
    const least = `${toDecimal(leastMicros)} ${currency}`
    refuseDoubtful(given, `${toDecimal(amountMicros)} ${currency} would be given for a top-up of ${least} (--least)`)
  }
  if (points !== null && mostMicros === null) refuseDoubtful(given, 'Without --most the bonus has no limit')
}

function readPercent(text: string | undefined): number | null {
  if (text === undefined) return null
  const points = /^\d{1,3}(?:\.\d{1,2})?$/.test(text) ? Number(pointsOf(text)) : 0
  if (points < 1 || points > MOST_POINTS) throw new WrongUsage('--percent is such as 10 or 2.5, 100 at most')
  return points
}

/** Reads an amount in whole kopecks or cents, because gateways accept no other. */
function readAmount(name: string, text: string | undefined): bigint | null {
  if (text === undefined) return null
  const micros = /^\d+(?:\.\d{1,2})?$/.test(text) ? parseDecimal(text) : null
  if (micros === null || micros <= 0n) throw new WrongUsage(`--${name} is such as 500.00`)
  return micros
}
