import { readFile } from 'node:fs/promises'
import { findDemoMark } from '#server/demo/queries.ts'
import { raiseCatalogVersion } from '#server/features/catalog/queries.ts'
import { findSecretKey, seal } from '#server/secret-key.ts'
import { supplierKinds } from '#server/suppliers/registry.ts'
import type { SupplierContext } from '#server/suppliers/supplier.ts'
import { makeChange } from './change.ts'
import { type Command, CommandRefused, type DatabaseCli, WrongUsage } from './command.ts'
import { insertSupplier } from './queries/suppliers.ts'

/** It stands in addresses, `/suppliers/{code}/push`. */
const CODE_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

export const addSupplier: Command = {
  name: 'supplier:add',
  summary: `add a supplier of a KIND (${Object.keys(supplierKinds).join(', ')}); a running server puts it to work`,
  values: ['KIND'],
  options: { code: { shows: 'CODE', required: true }, settings: { shows: `'{…}' | @FILE` } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [kind = ''] = given.values
    const { code = '', settings: text = '{}' } = given.options
    if (!CODE_PATTERN.test(code)) throw new WrongUsage('--code is 1 to 32 small letters, digits and hyphens')
    const settings = parseSettings(text.startsWith('@') ? await readSettings(text.slice(1)) : text)
    await checkKind(cli, { kind, code, settings })
    const sealed = seal(settings, await secretKeyFor(cli), cli.random)
    return makeChange(cli, { name: 'supplier:add', given }, async (tx, now) => {
      const id = await insertSupplier(tx, { code, kind, settings: sealed, now })
      if (id === null) throw new CommandRefused(`There is already a supplier ${code}`)
      await raiseCatalogVersion(tx, now)
      // The values may be passwords: the log keeps their names only.
      const detail = { id, kind, settings: Object.keys(settings) }
      return { subject: `supplier:${code}`, detail, says: `Added the supplier ${code} (${kind}).` }
    })
  },
}

/** The server's own key: the demo keeps one beside its data, elsewhere it is given to both. */
async function secretKeyFor(cli: DatabaseCli): Promise<string> {
  if (cli.secretKey === null && !(await findDemoMark(cli.pool)).marked) {
    throw new CommandRefused(
      'SECRET_KEY is missing: give this command the one the server has, settings are sealed with it',
    )
  }
  return findSecretKey({ dataDir: cli.config.dataDir, secretKey: cli.secretKey }, cli.random)
}

async function readSettings(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new CommandRefused(`The settings cannot be read from ${file}`)
  })
}

/** The message never repeats the text, which may hold a password. */
function parseSettings(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  } catch {
    throw new WrongUsage('--settings is not JSON')
  }
  throw new WrongUsage('--settings is not a JSON object')
}

/** Makes the supplier once, without starting it: its kind judges its settings. */
async function checkKind(
  cli: DatabaseCli,
  row: { kind: string; code: string; settings: Record<string, unknown> },
): Promise<void> {
  const make = Object.hasOwn(supplierKinds, row.kind) ? supplierKinds[row.kind] : undefined
  if (make === undefined) {
    throw new WrongUsage(`There is no kind ${row.kind}; there are ${Object.keys(supplierKinds).join(', ')}`)
  }
  if (row.kind === 'simulator' && !(await findDemoMark(cli.pool)).marked) {
    throw new CommandRefused('The simulator sells invented numbers: it works in the demo only')
  }
  try {
    make(idleContext(cli), { id: 0, ...row })
  } catch (error) {
    throw new CommandRefused(error instanceof Error ? error.message : String(error))
  }
}

/** A supplier that is only made and never started hands nothing over. */
function idleContext({ pool, clock, random, log }: DatabaseCli): SupplierContext {
  const refuse = () => Promise.reject(new Error('this supplier was not started'))
  return { db: pool, clock, random, log, receiveSms: refuse, reportUnusable: refuse }
}
