import { SECOND } from '#contract/time.ts'
import { createBank } from '#server/adapters/sim-bank/buy/bank.ts'
import type { Finding } from '#server/adapters/sim-bank/certify/findings.ts'
import { runTests } from '#server/adapters/sim-bank/certify/run-tests.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { idleContext } from '#server/programs/cli/idle-context.ts'
import { plain, readCount, readCountry } from '#server/programs/cli/listing.ts'
import { findSupplier } from '#server/programs/cli/queries/suppliers.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'

const MOST_NUMBERS = 100
const MOST_WAIT_SECONDS = 600
const AGAIN_WAIT_MS = 30 * SECOND
const QUIET_MS = 25 * SECOND
const POLL_MS = 500

export const certifySupplier: Command = {
  name: 'supplier:certify',
  summary:
    'run the ten tests of the field against a sim-bank supplier: takes numbers and gives them back; the exit code is 1 unless all are passed',
  values: ['CODE'],
  options: {
    service: { shows: 'SERVICE' },
    country: { shows: 'COUNTRY' },
    numbers: { shows: `1-${MOST_NUMBERS}` },
    wait: { shows: `SECONDS_FOR_THE_SMS` },
  },
  switches: ['without-sms'],
  database: 'migrated',
  async run(cli, { values, options, switches }) {
    const [code = ''] = values
    const supplier = await findSupplier(cli.pool, code)
    if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
    if (supplier.kind !== 'sim-bank') throw new CommandRefused(`${code} is of kind ${supplier.kind}, not sim-bank`)
    const without = switches.has('without-sms')
    if (without && options.wait !== undefined) throw new WrongUsage('--wait and --without-sms exclude each other')
    const waitSeconds = readCount('wait', options.wait, { otherwise: 120, atMost: MOST_WAIT_SECONDS })
    const settings = unseal(supplier.settings, [await sealingKey(cli), ...cli.previousSecretKeys]).value
    const findings = await runTests(createBank(idleContext(cli), { ...supplier, code, settings }), {
      random: cli.random,
      service: options.service,
      countryId: readCountry(options.country) ?? undefined,
      numbers: readCount('numbers', options.numbers, { otherwise: 5, atMost: MOST_NUMBERS }),
      smsWaitMs: without ? 0 : waitSeconds * SECOND,
      againWaitMs: AGAIN_WAIT_MS,
      quietMs: QUIET_MS,
      pollMs: POLL_MS,
      askForSms: (phone) =>
        cli.tell({ phone, waitSeconds }, `Send any SMS to +${phone} within ${waitSeconds} seconds.`),
    })
    for (const finding of findings) cli.tell(finding, describe(finding))
    return findings.every(({ test, passed }) => passed ?? (without && SMS_TESTS.includes(test))) ? 0 : 1
  },
}

const SMS_TESTS: readonly number[] = [3, 4, 5]

function describe({ test, what, passed, detail }: Finding): string {
  const verdict = passed === null ? 'not run' : passed ? 'passed ' : 'FAILED '
  return `${String(test).padStart(2)} ${verdict}  ${what}: ${plain(detail)}`
}
