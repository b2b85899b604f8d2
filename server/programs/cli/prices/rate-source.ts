import { isGuarded } from '#server/house/config/kinds.ts'
import { deleteSource, putSource } from '#server/house/rates/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { readCurrency } from './rate-set.ts'

const NONE = 'none'
const KINDS = ['json', 'cbr'] as const
const EVERY_MINUTES = 60
const MOST_MINUTES = 1440
const POINTER_PATTERN = /^(?:\/[^/]{1,100}){1,10}$/
const LETTERS_PATTERN = /^[A-Z]{3}$/

export const setRateSource: Command = {
  name: 'rate:source',
  summary:
    'fetch the rate of a currency from a URL on a schedule: --at is a JSON pointer, or with --kind cbr letters such as USD; URL none ends it',
  values: ['CURRENCY', 'URL'],
  options: { at: { shows: '/data/amount' }, kind: { shows: KINDS.join('|') }, every: { shows: `1-${MOST_MINUTES}` } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [typed = '', url = ''] = given.values
    const currency = readCurrency(typed)
    const subject = `rate:${currency}`
    if (url === NONE) {
      return makeChange(cli, { name: 'rate:source', given }, async (tx) => {
        if (!(await deleteSource(tx, currency))) throw new CommandRefused(`The rate of ${currency} has no source`)
        return { subject, detail: { url: null }, says: `The rate of ${currency} is not fetched any more.` }
      })
    }
    const source = { currency, ...readSource(url, given.options) }
    return makeChange(cli, { name: 'rate:source', given }, async (tx, now) => {
      await putSource(tx, { ...source, now })
      const says = `The rate of ${currency} is fetched from ${new URL(url).hostname} every ${source.every_minutes} min.`
      return { subject, detail: { url: new URL(url).origin, kind: source.kind, at: source.pointer }, says }
    })
  },
}

function readSource(url: string, options: Readonly<Record<string, string | undefined>>) {
  const kind = KINDS.find((one) => one === (options.kind ?? 'json'))
  if (kind === undefined) throw new WrongUsage(`--kind is one of ${KINDS.join(', ')}`)
  const pointer = options.at ?? ''
  if (!(kind === 'cbr' ? LETTERS_PATTERN : POINTER_PATTERN).test(pointer)) {
    throw new WrongUsage(kind === 'cbr' ? '--at is letters such as USD' : '--at is a JSON pointer such as /data/amount')
  }
  const minutes = Number(options.every ?? EVERY_MINUTES)
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES) {
    throw new WrongUsage(`--every is minutes from 1 to ${MOST_MINUTES}`)
  }
  // An attacker on the network could set the rate without https.
  if (!isGuarded(url)) throw new WrongUsage('URL begins with https://, or is none')
  return { kind, url, pointer, every_minutes: minutes }
}
