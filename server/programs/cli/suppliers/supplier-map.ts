import { type CodeKind, setCode } from '#server/adapters/shared/resold/queries/codes.ts'
import { lockSupplier } from '#server/core/catalog/health/queries/pausing.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { RESOLD_KINDS } from '#server/programs/boot/kinds/supplier-kinds.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { findUnknownNames } from '#server/programs/cli/queries/catalog.ts'

const LEAVE_OUT = 'leave-out'
const WHERE: Readonly<Record<CodeKind, string>> = {
  service: '`service:list --search …` has the codes',
  country: 'a country is named by its number, see `country:list --search …`',
}
const THEIRS = /^[\w-]{1,40}$/

export const mapSupplierCode: Command = {
  name: 'supplier:map',
  summary:
    "say what a supplier's code of a service or country (KIND) means here; without --to and --leave-out, what its name says",
  values: ['CODE', 'KIND', 'THEIRS'],
  options: { to: { shows: 'OURS' } },
  switches: [LEAVE_OUT],
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', kind = '', theirs = ''] = given.values
    const { to } = given.options
    const isLeftOut = given.switches.has(LEAVE_OUT)
    if (kind !== 'service' && kind !== 'country') throw new WrongUsage('KIND is service or country')
    if (!THEIRS.test(theirs)) throw new WrongUsage('THEIRS is 1 to 40 letters, digits, _ and -')
    if (to !== undefined && isLeftOut) throw new WrongUsage('Either --to or --leave-out')
    return makeChange(cli, { name: 'supplier:map', given }, async (tx, now) => {
      const supplier = await lockSupplier(tx, code)
      if (supplier === null || !RESOLD_KINDS.includes(supplier.kind))
        throw new CommandRefused(`There is no supplier ${code} of the kind ${RESOLD_KINDS.join(' or ')}`)
      if (to !== undefined) await requireKnown(tx, kind, to)
      const ours = isLeftOut ? null : to
      const changed = await setCode(tx, { supplierId: supplier.id, kind, theirs, ours })
      if (changed) await raiseCatalogVersion(tx, now)
      const meaning = isLeftOut ? 'is not sold' : `is ${to ?? `what its name says, if there is such a ${kind}`}`
      const detail = { id: supplier.id, kind, theirs, ours: ours ?? null }
      const since = changed ? 'from the next refresh of its prices on' : 'as it was already'
      const says = `The ${kind} ${theirs} of ${code} ${meaning}, ${since}.`
      return { subject: `supplier:${code}`, detail, says, unchanged: !changed }
    })
  },
}

async function requireKnown(tx: Db, kind: CodeKind, ours: string): Promise<void> {
  const asked = kind === 'service' ? { codes: [ours], countries: [] } : { codes: [], countries: [ours] }
  const unknown = await findUnknownNames(tx, asked)
  if (unknown.codes.length + unknown.countries.length > 0)
    throw new CommandRefused(`There is no ${kind} ${ours}; ${WHERE[kind]}`)
}
