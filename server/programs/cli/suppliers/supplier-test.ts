import type { SupplierFinding } from '#server/core/suppliers/supplier.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import { withTimeout } from '#server/house/with-timeout.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { type FoundSupplier, findSupplierRow } from '#server/programs/cli/queries/suppliers.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'
import { makeIdle } from './supplier-settings.ts'

const TEST_LIMIT_MS = 60_000

export const testSupplier: Command = {
  name: 'supplier:test',
  summary: 'ask a supplier what works, and buy nothing; the exit code is 1 when something does not',
  values: ['CODE'],
  database: 'migrated',
  async run(cli, given) {
    const [code = ''] = given.values
    const row = await findSupplierRow(cli.pool, code)
    if (row === null) throw new CommandRefused(`There is no supplier ${code}`)
    const settings = unseal(row.settings, [await sealingKey(cli), ...cli.previousSecretKeys]).value
    const { test } = makeIdle(cli, { ...row, settings })
    const asked = test === undefined ? [UNASKED] : await withTimeout(TEST_LIMIT_MS, () => test())
    const findings = [...linkOf(row), ...asked]
    for (const finding of findings) {
      const { what, works, says } = finding
      cli.tell(finding, `${works ? 'works' : 'FAILS'}  ${what}: ${says}`)
    }
    return findings.every(({ works }) => works) ? 0 : 1
  },
}

/** Reports the SMPP link as the server saw it last, because a CLI command cannot test it. */
function linkOf({ link_up: isUp, link_changed_at: since, link_why: why }: FoundSupplier): SupplierFinding[] {
  if (isUp !== false && why === null) return []
  const moment = since === null ? '' : ` since ${since.toISOString()}`
  return [{ what: 'link', works: false, says: `down${moment}: ${plain(why ?? 'the log says why')}` }]
}

const UNASKED: SupplierFinding = {
  what: 'settings',
  works: true,
  says: 'they can be read; this kind is asked nothing, see supplier:list',
}
