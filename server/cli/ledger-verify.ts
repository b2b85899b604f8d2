import { verifyDelivery } from '#server/features/delivery/verify-delivery.ts'
import { type LedgerCheck, verifyFromCheckpoint } from '#server/money/verify.ts'
import type { Command } from './command.ts'

const WRONG_BOOKS = 1

export const verifyBooks: Command = {
  name: 'ledger:verify',
  summary:
    'compare the books with every balance and activation, from what was proved last; `--full`: from the first transfer on; and judge whom every message was given to; exit code 1 if anything is wrong',
  switches: ['full'],
  database: 'migrated',
  async run({ pool, say, clock }, given) {
    const full = given.switches.has('full')
    const told = (check: LedgerCheck) => {
      for (const line of describe(check)) say(line)
    }
    // Messages first: what is said last is the verdict on the books.
    const delivery = await verifyDelivery(pool)
    for (const check of delivery.checks) told(check)
    say(
      delivery.ok
        ? 'Every message stands where its decision says.'
        : 'MESSAGES STAND WHERE THEY DO NOT BELONG. Somebody may have read what was not his: begin with the first line above.',
    )
    say('')
    const books = await verifyFromCheckpoint(pool, { full, now: clock.now(), told })
    if (books.ok && books.from !== null) {
      const { throughTransfer, at } = books.from
      say(`Everything through transfer ${throughTransfer} was proved at ${at.toISOString()} and not recounted.`)
    }
    say(
      books.ok
        ? 'The books are right.'
        : 'THE BOOKS ARE WRONG. Stop buying (`buying:stop`) and find out why before anything else.',
    )
    return books.ok && delivery.ok ? 0 : WRONG_BOOKS
  },
}

function describe({ name, checked, wrong, problems }: LedgerCheck): string[] {
  if (wrong === 0) return [`ok     ${name} (${checked} checked)`]
  const rest = wrong - problems.length
  const more = rest > 0 ? [`         and ${rest} more`] : []
  return [
    `WRONG  ${name} (${wrong} wrong, ${checked} checked)`,
    ...problems.map((problem) => `         ${problem}`),
    ...more,
  ]
}
