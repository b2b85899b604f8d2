import { type LedgerCheck, verifyFromCheckpoint } from '#server/money/verify.ts'
import type { Command } from './command.ts'

const WRONG_BOOKS = 1

export const verifyBooks: Command = {
  name: 'ledger:verify',
  summary:
    'compare the books with every balance and activation, from what was proved last; `--full`: from the first transfer on; exit code 1 if anything is wrong',
  switches: ['full'],
  database: 'migrated',
  async run({ pool, say, clock }, given) {
    const full = given.switches.has('full')
    const told = (check: LedgerCheck) => {
      for (const line of describe(check)) say(line)
    }
    const { ok, from } = await verifyFromCheckpoint(pool, { full, now: clock.now(), told })
    if (ok && from !== null) {
      say(
        `Everything through transfer ${from.throughTransfer} was proved at ${from.at.toISOString()} and not recounted.`,
      )
    }
    say(
      ok
        ? 'The books are right.'
        : 'THE BOOKS ARE WRONG. Stop buying (`buying:stop`) and find out why before anything else.',
    )
    return ok ? 0 : WRONG_BOOKS
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
