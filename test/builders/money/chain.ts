import { HDKey } from '@scure/bip32'
import { followArrivals } from '#server/core/payments/follow-arrivals.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { storeRate } from '#server/house/rates/queries.ts'
import { begin, payer } from '#test/builders/payments.ts'
import { type Anvil, startAnvil } from '#test/fakes/chain/anvil.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'

/** The owner's wallet, whose private key the service never sees. */
export const OWNER = HDKey.fromMasterSeed(Buffer.from('a seed of tests, which holds no money'))
export const XPUB = OWNER.derive("m/44'/60'/0'").publicExtendedKey
export const CHAIN_ID = 31_337
export const CONFIRMATIONS = 3

export type Shop = AsyncDisposable & {
  t: TestApp
  anvil: Anvil
  user: TestUser
  usdt: string
  usdc: string
  round(): Promise<void>
  /** Mines blocks one by one, and polls the blockchain after each block. */
  mineAndLook(blocks: number): Promise<void>
  rate(currency: string, roubles: bigint): Promise<void>
}

type Wanted = { nodes?: readonly string[]; settings?: Record<string, unknown>; environment?: Record<string, string> }

/** Starts a service that takes USDT and USDC on a private blockchain, and creates a payer without money. */
export async function openShop(wanted: Wanted | ((anvil: Anvil) => Promise<Wanted>) = {}): Promise<Shop> {
  await using stack = new AsyncDisposableStack()
  const clock = createTestClock()
  const anvil = stack.use(await startAnvil(clock))
  const [usdt, usdc] = [await anvil.deploy('Mute', 6n), await anvil.deploy('Standard', 18n)]
  const {
    nodes = [anvil.url],
    settings = {},
    environment = {},
  } = typeof wanted === 'function' ? await wanted(anvil) : wanted
  const t = stack.use(await startTestApp({ clock, environment }))
  const rate = (currency: string, roubles: bigint) =>
    transaction(t.ctx.db, (tx) =>
      storeRate(tx, { currency, rubMicros: roubles * 1_000_000n, source: 'test', now: clock.now() }),
    )
  await rate('usdt', 90n)
  await t.addGateway({ code: 'evm', kind: 'evm', settings: { ...settingsOf({ nodes, usdt, usdc }), ...settings } })
  const round = () => followArrivals(t.ctx)
  await round()
  const user = await payer(t)
  const running = stack.move()
  return {
    t,
    anvil,
    user,
    usdt,
    usdc,
    round,
    rate,
    async mineAndLook(blocks) {
      for (let mined = 0; mined < blocks; mined += 1) {
        await anvil.mine()
        await round()
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export function settingsOf({ nodes, usdt, usdc }: { nodes: readonly string[]; usdt: string; usdc: string }) {
  return {
    rpc: nodes,
    chain_id: CHAIN_ID,
    network: { en: 'Testnet', ru: 'Тестовая сеть' },
    confirmations: CONFIRMATIONS,
    xpub: XPUB,
    assets: [
      { symbol: 'USDT', contract: usdt, decimals: 6, rate: 'usdt', dust: '1.00' },
      { symbol: 'USDC', contract: usdc, decimals: 18, rate: 'usdt', dust: '1.00' },
      { symbol: 'ETH', contract: null, decimals: 18, rate: 'eth', dust: '0.0001' },
    ],
  }
}

/** Begins a payment. 900 roubles are 10 USDT at the tests' rate. */
export const asked = (shop: Shop, amount = '900.00', system = 'evm-usdt') => begin(shop.t, shop.user, amount, system)
