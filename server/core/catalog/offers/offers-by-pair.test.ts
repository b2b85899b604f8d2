import { expect, test } from 'vitest'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { seededRandom } from '#test/simulation/routed-market.ts'
import { isSameOffer, OffersByPair, pairKey } from './offers-by-pair.ts'

const PAIRS = ['tg', 'wa', 'go'].flatMap((serviceCode) => [2, 6].map((countryId) => ({ serviceCode, countryId })))

test('lists in whatever order and with whatever changes leave what the last ones say, and name all that differs', () => {
  const random = seededRandom(7)
  const offers = new OffersByPair<Offer>(isSameOffer)
  const kept = new Map<number, Offer[]>()
  const draw = (): Offer[] =>
    PAIRS.flatMap((pair) =>
      ['altel', 'tele2'].slice(random.below(3)).map((operator) => ({
        ...pair,
        operator,
        currency: 'rub' as const,
        stock: random.below(2),
        costMicros: BigInt(random.below(2)),
      })),
    )
  const change = (list: Offer[]) =>
    list.map((offer) => (random.below(4) === 0 ? { ...offer, stock: offer.stock + 1 } : { ...offer }))
  for (let round = 0; round < 2_000; round += 1) {
    const supplierId = 1 + random.below(3)
    const before = kept.get(supplierId) ?? []
    const list = [draw, () => change(before), () => before.toReversed(), () => []][random.below(4)]?.() ?? []
    const { pairs, put, gone } = offers.replace(supplierId, list)
    kept.set(supplierId, list)
    for (const { serviceCode, countryId } of PAIRS) {
      const ofPair = (all: readonly Offer[]) =>
        all.filter((offer) => offer.serviceCode === serviceCode && offer.countryId === countryId)
      const key = pairKey(serviceCode, countryId)
      for (const [id, all] of kept) expect(offers.of(key).get(id) ?? []).toEqual(ofPair(all))
      const [was, is] = [ofPair(before), ofPair(list)]
      if (JSON.stringify(was, bigints) !== JSON.stringify(is, bigints)) expect(pairs).toContain(key)
      for (const offer of is) {
        const old = was.find(({ operator }) => operator === offer.operator)
        if (old === undefined || !isSameOffer(old, offer)) expect(put).toContain(offer)
      }
      const left = was.filter(({ operator }) => !is.some((offer) => offer.operator === operator))
      expect(ofPair(gone)).toEqual(left)
    }
  }
})

const bigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
