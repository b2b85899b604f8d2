import type { Begun, PaymentOrder, RefusedPayment, TransferGuidance } from '#server/core/gateways/gateway.ts'
import { findPrice } from '#server/house/rates/find-price.ts'
import type { Asset, Chain } from './chain.ts'
import { deriveAddress } from './derive-address.ts'
import { findAddress, insertAddress, takePlace } from './queries/addresses.ts'
import { findQuote, insertQuote, type Quote } from './queries/quotes.ts'
import { findWatch } from './queries/watches.ts'
import { formatUnits, unitsFor } from './units.ts'

/** Returns an address and an amount to pay by the present rate. Repeated calls for an order return the first amount. */
export async function beginQuote(
  chain: Chain,
  order: PaymentOrder,
  network: TransferGuidance['network'],
): Promise<Begun | RefusedPayment> {
  const { db } = chain.ctx
  const { transactionId } = order
  const asset = chain.assets.find(({ system }) => system === order.system)
  if (asset === undefined) return { outcome: 'refused', reason: `the settings have no asset for ${order.system}` }
  const earlier = await findQuote(db, transactionId)
  if (earlier !== null) return toBegun(chain, { transactionId, asset, quote: earlier, network })
  // Money sent before the first block was read would never be found.
  const watch = await findWatch(db, chain.gatewayId)
  if (watch?.height == null) return { outcome: 'refused', reason: 'no block of the chain has been read yet' }
  if (watch.stopped !== null) return { outcome: 'refused', reason: `the watch is stopped: ${watch.stopped}` }
  const since = new Date(chain.ctx.clock.now().getTime() - asset.rateMaxAgeMs)
  const rate = await findPrice(db, { asset: asset.rate, currency: order.currency, since })
  if (rate === null) return { outcome: 'refused', reason: `there is no fresh rate of ${asset.rate}` }
  await insertQuote(db, {
    transactionId,
    gatewayId: chain.gatewayId,
    asset: asset.key,
    ...rate,
    address: await addressFor(chain, order.userId),
    units: unitsFor(order.amountMicros, rate, asset),
  })
  const quote = await findQuote(db, transactionId)
  if (quote === null) throw new Error('the quote is gone')
  return toBegun(chain, { transactionId, asset, quote, network })
}

function toBegun(
  { family }: Chain,
  { transactionId, asset, quote, network }: { transactionId: string; asset: Asset; quote: Quote; network: string },
): Begun {
  const address = family.show(quote.address)
  const amount = formatUnits(quote.units, asset.decimals)
  // The QR code has only the address. A wallet could misread a payment link, and pay to the token's contract.
  const guidance = { form: 'transfer', address, network, asset: asset.symbol, amount, uri: address } as const
  return { outcome: 'begun', providerId: transactionId, guidance }
}

/** Returns a user's address on the chain, which never changes. */
export async function addressFor(chain: Chain, userId: number): Promise<string> {
  const { ctx, branch, key } = chain
  const known = await findAddress(ctx.db, { branch, userId })
  if (known !== null) return known
  const place = await takePlace(ctx.db, branch)
  await insertAddress(ctx.db, { branch, userId, place, address: deriveAddress(key, place), now: ctx.clock.now() })
  const stored = await findAddress(ctx.db, { branch, userId })
  if (stored === null) throw new Error('the address is gone')
  return stored
}
