import { createLink, type Link } from '#server/adapters/shared/resold/link.ts'
import type { SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { type CountrySlugs, countrySlugs } from '#server/house/seed/country-slugs.ts'
import { parseSimBankSettings, type SimBankSettings } from '../settings.ts'
import { type AskBank, createAskBank } from '../wire/ask-bank.ts'
import { createOverstated, type Overstated } from './overstated.ts'
import { listCountries } from './queries/names.ts'

export type Bank = {
  ctx: Context
  supplierId: number
  code: string
  settings: SimBankSettings
  ask: AskBank
  link: Link
  overstated: Overstated
  underWay: Map<string, Promise<unknown>>
  stopping: AbortController
  written: { countries: Map<number, string>; unknown: string[] }
}

export function createBank(ctx: Context, row: SupplierRow): Bank {
  const settings = parseSimBankSettings(row.code, row.settings)
  const { id: supplierId, code } = row
  const ask = createAskBank(settings, {
    now: () => ctx.clock.now(),
    tookOther: (told) => ctx.log.warn({ supplier: code, ...told }, 'a SIM bank refused one key and took the other'),
  })
  return {
    ctx,
    supplierId,
    code,
    settings,
    ask,
    link: createLink(ctx, supplierId, 'reach'),
    overstated: createOverstated(),
    underWay: new Map(),
    stopping: new AbortController(),
    written: { countries: new Map(), unknown: [] },
  }
}

export async function slugsOf({ ctx, settings }: Bank): Promise<CountrySlugs> {
  return countrySlugs(await listCountries(ctx.db), settings.countries)
}
