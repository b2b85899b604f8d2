import { DAY } from '#contract/time.ts'
import { type AsideMessage, listAside } from '#server/core/numbers/delivery/queries/unmatched.ts'
import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import { NONE, plain, readCount } from '#server/programs/cli/listing.ts'
import type { Told } from '#server/programs/cli/say.ts'

const KINDS = ['unmatched', 'late', 'operator', 'junk']
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const DEFAULT_DAYS = 7

export const listMessagesAside: Command = {
  name: 'message:list',
  summary: `list messages that nobody was charged for, newest first: unmatched ones, or with --given late (their order had ended), operator, or junk (nobody can read it); of ${DEFAULT_DAYS} days and ${DEFAULT_LIMIT} at most, unless said otherwise`,
  options: {
    given: { shows: KINDS.join('|') },
    phone: { shows: '77051234567' },
    supplier: { shows: 'CODE' },
    days: { shows: 'N' },
    limit: { shows: `1-${MAX_LIMIT}` },
  },
  database: 'migrated',
  async run({ pool, clock, tell, remark }, { options }) {
    const { given = 'unmatched', phone = null, supplier = null } = options
    if (!KINDS.includes(given)) throw new WrongUsage(`--given is one of ${KINDS.join(', ')}`)
    const limit = readCount('limit', options.limit, { otherwise: DEFAULT_LIMIT, atMost: MAX_LIMIT })
    const days = readCount('days', options.days, { otherwise: DEFAULT_DAYS, atMost: 3_650 })
    const since = new Date(clock.now().getTime() - days * DAY)
    const digits = phone?.replaceAll(/\D/g, '') ?? null
    const found = await listAside(pool, { given: [given], phone: digits, supplier, since, limit })
    if (found.length === 0) remark(NONE)
    for (const message of found) tell(toTold(message), describe(message))
    if (found.length === limit) remark(`These are the newest ${limit}; there may be more.`)
    return 0
  },
}

function toTold(message: AsideMessage): Told {
  const { id, received_at, supplier, phone, sender, body, named_services, activation_id, rental_id } = message
  return { id, received_at, supplier, phone, sender, text: body, named_services, activation_id, rental_id }
}

function describe(message: AsideMessage): string {
  const {
    id,
    received_at: at,
    supplier,
    phone,
    sender,
    body,
    named_services: services,
    activation_id,
    rental_id,
  } = message
  const named = services === null ? '' : `, names ${services.join(' ')}`
  const under = activation_id === null ? rental_id && ` under rental:${rental_id}` : ` under ${activation_id}`
  return `${id} ${at.toISOString()} ${supplier} ${phone}${under ?? ''} ${plain(sender)}${named}: ${body === null ? '(its words are deleted)' : plain(body)}`
}
