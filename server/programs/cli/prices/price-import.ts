import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { deleteAllRules, listUnknownScopes, storeRule } from '#server/programs/cli/queries/prices.ts'
import { compareEffects, refuseLargeEffects } from './price-effects.ts'
import { type FileRule, readPriceFile } from './price-file.ts'

const EVERYTHING = { serviceCode: null, countryId: null }
/** The maximum number of moments at which a file may change prices, because each costs a computation of all prices. */
const MAX_MOMENTS = 21
const REPLACE = 'replace'

export const importPrices: Command = {
  name: 'price:import',
  summary: 'set the price rules of a CSV file, all of them or none; with --replace nothing else stays',
  values: ['FILE'],
  switches: [REPLACE],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [file = ''] = given.values
    const replaces = given.switches.has(REPLACE)
    // The file is read outside the transaction, because it may be a pipe of a slow program.
    const now = cli.clock.now()
    const rules = await readPriceFile(file, now)
    return makeChange(cli, { name: 'price:import', given }, async (tx) => {
      await requireKnown(tx, { file, rules })
      const moments = momentsOf(rules, now)
      const effects = await compareEffects(tx, { scope: EVERYTHING, moments, currency: 'rub' }, async () => {
        if (replaces) await deleteAllRules(tx)
        for (const { scope, rule, period } of rules) await storeRule(tx, { scope, rule, period, now })
      })
      refuseLargeEffects(given, effects)
      await raiseCatalogVersion(tx, now)
      const { changed, pairs } = effects
      return {
        subject: 'price:file',
        detail: { rules: rules.length, replaces, changed: changed.length },
        says: `${rules.length} price rules are set${replaces ? ', and no others' : ''}: ${changed.length} of ${pairs} prices change.`,
      }
    })
  },
}

/** Lists the moments at which the file changes prices: now and each rule's start. Throws CommandRefused if too many. */
function momentsOf(rules: readonly FileRule[], now: Date): Date[] {
  const starts = rules.flatMap(({ period }) => period.startsAt?.getTime() ?? [])
  const moments = new Set([now.getTime(), ...starts])
  if (moments.size <= MAX_MOMENTS) return [...moments].map((at) => new Date(at))
  throw new CommandRefused(`The rules of one file begin at ${MAX_MOMENTS - 1} different times at most`)
}

async function requireKnown(tx: Db, { file, rules }: { file: string; rules: readonly FileRule[] }): Promise<void> {
  const unknown = await listUnknownScopes(
    tx,
    rules.map(({ scope }) => scope),
  )
  if (unknown.length === 0) return
  throw new CommandRefused(`${file} names what there is not: ${unknown.join(', ')}`)
}
