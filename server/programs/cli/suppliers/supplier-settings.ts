import type { Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Db } from '#server/house/db/pool.ts'
import { supplierKinds } from '#server/programs/boot/kinds/supplier-kinds.ts'
import { CommandRefused, type DatabaseCli, WrongUsage } from '#server/programs/cli/command.ts'
import { idleContext } from '#server/programs/cli/idle-context.ts'
import { findUnknownNames } from '#server/programs/cli/queries/catalog.ts'
import { findDemoMark } from '#server/programs/demo/queries.ts'

/** Checks the settings by building the supplier, without starting it. Throws WrongUsage or CommandRefused. */
export async function checkSettings(
  cli: DatabaseCli,
  row: { kind: string; code: string; settings: Record<string, unknown> },
): Promise<void> {
  if (!Object.hasOwn(supplierKinds, row.kind)) {
    throw new WrongUsage(`There is no kind ${row.kind}; there are ${Object.keys(supplierKinds).join(', ')}`)
  }
  if (row.kind === 'simulator' && !(await findDemoMark(cli.pool)).marked) {
    throw new CommandRefused('The simulator sells invented numbers: it works in the demo only')
  }
  makeIdle(cli, { id: 0, ...row })
  await requireKnownNames(cli.pool, row.settings)
}

/** Builds a supplier that is not started. Throws CommandRefused if its settings are wrong. */
export function makeIdle(cli: DatabaseCli, row: SupplierRow): Supplier {
  const make = supplierKinds[row.kind]
  if (make === undefined) throw new CommandRefused(`This version knows no suppliers of the kind ${row.kind}`)
  try {
    return make(idleContext(cli), row)
  } catch (error) {
    throw new CommandRefused(error instanceof Error ? error.message : String(error))
  }
}

/** Refuses unknown services or countries, which never sell. */
async function requireKnownNames(db: Db, settings: Record<string, unknown>): Promise<void> {
  const offered = [settings.services, settings.rent].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  const entries = offered.filter((entry) => typeof entry === 'object' && entry !== null)
  const codes = [...entries.flatMap((entry) => ('code' in entry ? [String(entry.code)] : [])), ...soldBySims(settings)]
  const countries = entries.flatMap((entry) => ('costByCountry' in entry ? Object.keys(entry.costByCountry ?? {}) : []))
  const unknown = await findUnknownNames(db, { codes, countries: [...countries, ...namedByBank(settings)] })
  const named = [
    ...unknown.codes.map((code) => `no service ${code}`),
    ...unknown.countries.map((id) => `no country ${id}`),
  ]
  if (named.length > 0) throw new CommandRefused(`There is ${named.join(', ')}`)
}

/**
 * Returns our country ids from a SIM bank's settings, such as `{"rossiya": 0}`. Other suppliers' `countries` is a list
 * of their own names and yields none.
 */
function namedByBank({ countries }: Record<string, unknown>): string[] {
  if (typeof countries !== 'object' || countries === null || Array.isArray(countries)) return []
  return Object.values(countries).map(String)
}

/** The cast is safe: the supplier's kind has checked the shape of the settings. */
function soldBySims({ sims }: Record<string, unknown>): string[] {
  if (typeof sims !== 'object' || sims === null || !('maxSalesByService' in sims)) return []
  return Object.keys(sims.maxSalesByService ?? {})
}
