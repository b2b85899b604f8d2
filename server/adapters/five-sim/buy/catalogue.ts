import { type Catalogue, createCatalogue, hashOf, type ToldPrices } from '#server/adapters/shared/resold/catalogue.ts'
import { Names } from '#server/adapters/shared/resold/names.ts'
import { readCodes } from '#server/adapters/shared/resold/queries/codes.ts'
import { MOST_PRICE_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import { readCountrySlugs, readServiceSlugs } from '#server/house/seed/slugs.ts'
import { type Nesting, readPrices } from '../wire/read-prices.ts'
import { nameOf } from '../wire/words.ts'
import type { Account } from './account.ts'

type Part = { nesting: Nesting; query: Record<string, string>; etag: string | null; told: Told | null }
type Told = Omit<ToldPrices, 'keep'>

const serviceSlugs = readServiceSlugs()
const countrySlugs = readCountrySlugs()

export function createFiveSimCatalogue(account: Account): Catalogue {
  let parts = partsOf(account)
  return createCatalogue(account, {
    readNames: () => readSlugs(account),
    async readPrices(anew) {
      const next = await readParts(account, anew ? partsOf(account) : parts)
      if (next.every((part, at) => part === parts[at])) return null
      const keep = () => {
        parts = next
      }
      return { ...joined(next), keep }
    },
  })
}

export async function readAllPrices(account: Account): Promise<Told> {
  return joined(await readParts(account, partsOf(account)))
}

/** Requests run one after another, so that purchases are sent between them. */
async function readParts(account: Account, parts: readonly Part[]): Promise<Part[]> {
  const read: Part[] = []
  for (const part of parts) read.push(await readPart(account, part))
  return read
}

/** Reads one part of the price list. Returns the object `part` itself if the supplier's prices have not changed. */
async function readPart(account: Account, part: Part): Promise<Part> {
  const { nesting, query, etag, told } = part
  const { operators } = account.settings
  const question = { path: ['guest', 'prices'], query, guest: true, mostBytes: MOST_PRICE_BYTES, etag }
  const answered = await account.ask(question)
  if (answered.unchanged && told !== null) return part
  const read = await runYielding(readPrices(answered.json, { nesting, operators }))
  const asked = Object.values(query).join(' ')
  if (read === null) throw new Error(`its prices ${asked} cannot be read: ${nameOf(answered)}`)
  return { ...part, etag: answered.etag, told: { ...read, hash: await runYielding(hashOf(answered.body)) } }
}

function partsOf({ settings: { countries, products } }: Account): Part[] {
  const none = { etag: null, told: null }
  if (countries.length > 0) return countries.map((country) => ({ ...none, nesting: 'country', query: { country } }))
  if (products.length > 0) return products.map((product) => ({ ...none, nesting: 'product', query: { product } }))
  return [{ ...none, nesting: 'country', query: {} }]
}

function joined(parts: readonly Part[]): Told {
  const told = parts.flatMap((part) => part.told ?? [])
  return {
    pairs: told.flatMap(({ pairs }) => pairs),
    broken: told.reduce((sum, { broken }) => sum + broken, 0),
    hash: told.map(({ hash }) => hash).join(' '),
  }
}

export async function readSlugs({ ctx, supplierId }: Account): Promise<Names> {
  const { corrected, services, countries } = await readCodes(ctx.db, supplierId)
  return new Names({
    corrected,
    service: known(serviceSlugs, new Set(services)),
    country: known(countrySlugs, new Set(countries)),
  })
}

function known(slugs: ReadonlyMap<string, string>, ours: ReadonlySet<string>): Map<string, string> {
  return new Map([...slugs].filter(([, code]) => ours.has(code)))
}
