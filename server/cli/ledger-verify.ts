import { type LedgerCheck, verifyLedger } from '#server/money/verify.ts'
import type { Command } from './command.ts'

const WRONG_BOOKS = 1

export const verifyBooks: Command = {
  name: 'ledger:verify',
  summary: 'recount the books and compare them with every balance and activation; exit code 1 if anything is wrong',
  database: 'migrated',
  async run({ pool, say }) {
    const { ok, checks } = await verifyLedger(pool)
    for (const check of checks) for (const line of describe(check)) say(line)
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
