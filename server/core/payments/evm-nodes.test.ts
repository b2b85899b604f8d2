import { HDKey } from '@scure/bip32'
import { beforeAll, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { createEvm } from '#server/adapters/evm/evm.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { followGateways } from '#server/programs/boot/start-gateways.ts'
import { sentMails } from '#test/builders/mails.ts'
import { asked, CONFIRMATIONS, OWNER, openShop, type Shop, settingsOf } from '#test/builders/money/chain.ts'
import { balanceOf, expectRightBooks, look } from '#test/builders/payments.ts'
import { anvilProgram } from '#test/fakes/chain/anvil.ts'
import { type ChainNode, HANG, HTML, openChainNode } from '#test/fakes/chain/chain-node.ts'
import { compileTokens } from '#test/fakes/chain/tokens.ts'
import { refused } from '#test/harness/calls.ts'
import { createTestClock } from '#test/harness/test-clock.ts'

const USDT = 1_000_000n
const only = test.skipIf(anvilProgram === undefined)
beforeAll(compileTokens, 2 * MINUTE)
const environment = { ALARM_MAIL: 'night@example.test' }

type Fleet = { shop: Shop; nodes: ChainNode[] }

async function openFleet(stack: AsyncDisposableStack, count: number): Promise<Fleet> {
  const nodes: ChainNode[] = []
  const shop = await openShop(async (anvil) => {
    for (let made = 0; made < count; made += 1) nodes.push(stack.use(await openChainNode(anvil.url)))
    return { environment, nodes: nodes.map(({ url }) => url), settings: { timeout_seconds: 1 } }
  })
  stack.use(shop)
  return { shop, nodes }
}

async function told({ t }: Shop): Promise<string[]> {
  await watchService(t.ctx)
  return (await sentMails(t)).map(({ mail }) =>
    mail.kind === 'alarm' ? `${mail.alarm} ${mail.about.replace(/ \(.*/, '')}${mail.over ? ' over' : ''}` : mail.kind,
  )
}

async function whyOf({ t }: Shop, alarm: string): Promise<string | null | undefined> {
  const letters = (await sentMails(t)).flatMap(({ mail }) =>
    mail.kind === 'alarm' && mail.alarm === alarm ? mail : [],
  )
  return letters.at(-1)?.why
}

type Log = { transactionHash: string; topics: string[]; data: string; logIndex: string }

only(
  'of three nodes one invents a transfer: two agree, so only what is true is credited, and the liar is named',
  async () => {
    await using stack = new AsyncDisposableStack()
    const { shop, nodes } = await openFleet(stack, 3)
    const { t, anvil, user, usdt } = shop
    const payment = await asked(shop)
    const [liar] = nodes
    if (liar === undefined) throw new Error('there is no node')
    liar.twist = ({ method }, result) => {
      if (method !== 'eth_getLogs') return result
      const [log] = result as Log[]
      return log === undefined ? result : [log, { ...log, logIndex: '0x7', transactionHash: `0x${'ab'.repeat(32)}` }]
    }
    await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await balanceOf(t, user)).toBe('900.00')
    expect(await told(shop)).toEqual(['chain-node evm, node 1'])
    liar.twist = null
    t.clock.advance(2 * HOUR)
    await shop.mineAndLook(1)
    expect(await told(shop)).toEqual(['chain-node evm, node 1', 'chain-node evm, node 1 over'])
    await expectRightBooks(t)
  },
)

only('of two nodes one hides a transfer, or the block: nothing is credited until they say the same', async () => {
  await using stack = new AsyncDisposableStack()
  const { shop, nodes } = await openFleet(stack, 2)
  const { t, anvil, user, usdt } = shop
  const payment = await asked(shop)
  const [hiding] = nodes
  if (hiding === undefined) throw new Error('there is no node')
  hiding.twist = ({ method }, result) => (method === 'eth_getLogs' ? [] : result)
  await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
  await shop.mineAndLook(CONFIRMATIONS + 5)
  expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'pending' })
  expect(await told(shop)).toEqual(['chain-node evm, node 1', 'chain-node evm, node 2'])
  hiding.twist = ({ method }, result) =>
    method === 'eth_getBlockByNumber' && result !== null
      ? { ...(result as object), hash: `0x${'cd'.repeat(32)}` }
      : result
  await shop.mineAndLook(2)
  t.clock.advance(20 * MINUTE)
  await shop.round()
  expect(await told(shop)).toContain('chain-behind evm')
  expect(await whyOf(shop, 'chain-behind')).toMatch(/^its nodes disagree: node 1 .*, node 2 /)
  hiding.twist = null
  await shop.mineAndLook(1)
  expect(await balanceOf(t, user)).toBe('900.00')
  await expectRightBooks(t)
})

only(
  'a node that lags, answers HTML, refuses, answers other questions or hangs keeps two others from nothing',
  async () => {
    await using stack = new AsyncDisposableStack()
    const { shop, nodes } = await openFleet(stack, 3)
    const { t, anvil, user, usdt } = shop
    const [bad, second] = nodes
    if (bad === undefined || second === undefined) throw new Error('there are no nodes')
    const lag: ChainNode['twist'] = ({ method, params }, result) => {
      if (method === 'eth_blockNumber') return '0x1'
      return method === 'eth_getBlockByNumber' && Number(params[0]) > 1 ? null : result
    }
    const twists: ChainNode['twist'][] = [
      lag,
      () => HTML,
      () => new Error('lack of computing resources'),
      () => '0x',
      () => HANG,
    ]
    for (const [place, twist] of twists.entries()) {
      bad.twist = twist
      t.clock.advance(MINUTE)
      const payment = await asked(shop)
      await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
      await shop.mineAndLook(CONFIRMATIONS)
      expect(await balanceOf(t, user)).toBe(`${900 * (place + 1)}.00`)
    }
    second.twist = () => HTML
    const payment = await asked(shop)
    await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'pending' })
    t.clock.advance(20 * MINUTE)
    await shop.round()
    expect(await told(shop)).toEqual(['chain-behind evm'])
    expect(await whyOf(shop, 'chain-behind')).toMatch(/^1 of 3 nodes answer: /)
    second.twist = null
    bad.twist = null
    t.clock.advance(MINUTE)
    await shop.mineAndLook(1)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid' })
    expect(await told(shop)).toEqual(['chain-behind evm', 'chain-behind evm over'])
    await expectRightBooks(t)
  },
)

only('wrong decimals, another name or another chain: nothing is watched and nobody is given an address', async () => {
  await using shop = await openShop(async () => ({ environment }))
  const { t, anvil, user, usdt, usdc } = shop
  const right = settingsOf({ nodes: [anvil.url], usdt, usdc })
  const [first, second] = right.assets
  const wrong = [
    { ...right, assets: [{ ...first, decimals: 18 }] },
    { ...right, assets: [{ ...second, symbol: 'DAI' }] },
    { ...right, chain_id: 1 },
  ]
  for (const [place, settings] of wrong.entries()) await t.addGateway({ code: `wrong${place}`, kind: 'evm', settings })
  await shop.mineAndLook(2)
  for (const system of ['wrong0-usdt', 'wrong1-dai', 'wrong2-usdt']) {
    expect(
      await refused(t, 'POST /api/v1/payments', { system, amount: '900.00' }, { token: user.token }),
    ).toMatchObject({ status: 502 })
  }
  expect(await told(shop)).toEqual(['chain-stopped wrong0', 'chain-stopped wrong1', 'chain-stopped wrong2'])
  expect(await whyOf(shop, 'chain-stopped')).toMatch(/ is of chain 31337, the settings say 1$/)
  const give = async (code: string, settings: object) => {
    await t.ctx.db.query({
      text: 'UPDATE gateways SET settings = $1, settings_version = settings_version + 1 WHERE code = $2',
      values: [JSON.stringify(settings), code],
    })
    await followGateways(t.ctx)
    await shop.mineAndLook(1)
    return told(shop)
  }
  // Corrected settings are checked again, because two gateways on one chain would both credit the same transfer.
  await give('wrong2', right)
  const { rows } = await t.ctx.db.query({
    text: `SELECT code, stopped FROM chain_watches JOIN gateways ON id = gateway_id WHERE code IN ('evm', 'wrong2') ORDER BY code`,
  })
  expect(rows).toEqual([
    { code: 'evm', stopped: null },
    { code: 'wrong2', stopped: expect.stringContaining('older gateway reads this chain') },
  ])
  expect(await give('evm', { ...right, chain_id: 1 })).toContain('chain-stopped evm')
  expect((await give('evm', right)).at(-1)).toBe('chain-stopped evm over')
  const wish = { system: 'wrong2-usdt', amount: '900.00' }
  expect(await refused(t, 'POST /api/v1/payments', wish, { token: user.token })).toMatchObject({ status: 502 })
})

test('settings are checked without a call, and their faults never repeat a key', async () => {
  const clock = createTestClock()
  const good = settingsOf({
    nodes: ['https://node.example/secret-key'],
    usdt: `0x${'11'.repeat(20)}`,
    usdc: `0x${'22'.repeat(20)}`,
  })
  const make = (more: Record<string, unknown>) => () =>
    createEvm(
      // The cast is safe because the gateway uses only the clock before somebody pays.
      { clock } as unknown as Parameters<typeof createEvm>[0],
      { id: 1, code: 'evm', kind: 'evm', settings: { ...good, ...more } },
    )
  expect(make({})().systems.map(({ key }) => key)).toEqual(['evm-usdt', 'evm-usdc', 'evm-eth'])
  const [usdt] = good.assets
  const mixed = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  expect(make({ assets: [{ ...usdt, contract: mixed }] })).not.toThrow()
  expect(make({ assets: [{ ...usdt, contract: mixed.replace('dAC', 'dac') }] })).toThrow('is no address of this chain')
  expect(make({ assets: [usdt, usdt] })).toThrow('twice')
  expect(make({ assets: [{ ...usdt, dust: '0.0000001' }] })).toThrow('dust of USDT')
  const secret = OWNER.privateExtendedKey
  expect(make({ xpub: secret })).toThrow('must never be on this machine')
  expect(make({ xpub: secret })).not.toThrow(new RegExp(secret.slice(4, 20)))
  expect(make({ xpub: HDKey.fromMasterSeed(Buffer.alloc(32, 1)).publicExtendedKey.replace('x', 'y') })).toThrow(
    'is no extended public key',
  )
  expect(make({ rpc: ['http://node.example/secret-key'] })).toThrow('without TLS')
  expect(make({ rpc: ['http://node.example/secret-key'] })).not.toThrow(/secret-key/)
  expect(make({ rpc: Array.from({ length: 4 }, () => 'https://node.example'), agree: 2 })).toThrow('more than half')
  expect(make({ agree: 2 })).toThrow('only 1 nodes')
})
