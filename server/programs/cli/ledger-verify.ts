import { verifyDeliveryFromCheckpoint } from '#server/core/numbers/delivery/verify-delivery.ts'
import { type LedgerCheck, verifyFromCheckpoint } from '#server/house/money/verify.ts'
import type { Command } from './command.ts'

const WRONG_BOOKS = 1

export const verifyBooks: Command = {
  name: 'ledger:verify',
  summary:
    'compare the books with every balance and activation, from what was proved last; `--full`: from the first transfer on; and judge whom every message was given to; exit code 1 if anything is wrong',
  switches: ['full'],
  database: 'migrated',
  async run({ pool, tell, remark, clock }, given) {
    const full = given.switches.has('full')
    const told = (check: LedgerCheck) => {
      const { name, checked, wrong, problems } = check
      tell({ check: name, ok: wrong === 0, checked, wrong, problems }, describe(check).join('\n'))
    }
    // The delivery of SMS is checked before the books, so that the verdict on the books is printed last.
    const delivery = await verifyDeliveryFromCheckpoint(pool, { full, now: clock.now() })
    for (const check of delivery.checks) told(check)
    if (delivery.from !== null) {
      const { throughMessage, at } = delivery.from
      remark(`Messages through ${throughMessage} were judged at ${at.toISOString()} and not looked at again.`)
    }
    tell(
      { verdict: 'messages', ok: delivery.ok },
      delivery.ok
        ? 'Every message stands where its decision says.'
        : 'MESSAGES STAND WHERE THEY DO NOT BELONG. Somebody may have read what was not his: begin with the first line above.',
    )
    remark('')
    const books = await verifyFromCheckpoint(pool, { full, now: clock.now(), told })
    if (books.ok && books.from !== null) {
      const { throughTransfer, at } = books.from
      remark(`Everything through transfer ${throughTransfer} was proved at ${at.toISOString()} and not recounted.`)
    }
    tell(
      {
        verdict: 'books',
        ok: books.ok,
        provedThroughTransfer: books.ok ? (books.from?.throughTransfer ?? null) : null,
      },
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
