import { type Catalogue, createCatalogue, hashOf } from '#server/adapters/shared/resold/catalogue.ts'
import { itself, Names } from '#server/adapters/shared/resold/names.ts'
import { readCodes } from '#server/adapters/shared/resold/queries/codes.ts'
import { MOST_PRICE_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import { readPrices } from '../wire/read-prices.ts'
import { meaningOf } from '../wire/words.ts'
import type { Account } from './account.ts'

export function createFieldCatalogue(account: Account): Catalogue {
  let etag: string | null = null
  return createCatalogue(account, {
    readNames: () => readFieldNames(account),
    async readPrices(anew) {
      const { action, shape } = account.dialect.prices
      const reply = await account.ask({ action, mostBytes: MOST_PRICE_BYTES, etag: anew ? null : etag })
      if (reply.unchanged) return null
      account.link.note('key', meaningOf(reply.word) !== 'bad-key')
      const read = reply.word === null ? await runYielding(readPrices(reply.json, shape)) : null
      if (read === null) throw new Error(`its prices cannot be read: ${reply.word ?? `status ${reply.status}`}`)
      const keep = () => {
        etag = reply.etag
      }
      return { ...read, hash: await runYielding(hashOf(reply.text)), keep }
    },
  })
}

export async function readFieldNames({ ctx, supplierId }: Account): Promise<Names> {
  const { corrected, services, countries } = await readCodes(ctx.db, supplierId)
  return new Names({ corrected, service: itself(services), country: itself(countries) })
}
