import { type Asset, type Chain, COIN } from './chain.ts'
import { bytes, quantity } from './hex.ts'
import type { RpcNode } from './rpc-node.ts'

/** The function selectors of ERC-20 (`decimals` and `symbol`). */
const DECIMALS = '0x313ce567'
const SYMBOL = '0x95d89b41'
const WORD = 64

/** Returns how nodes or contracts differ from the settings, or null. Wrong decimals would multiply each credit. */
export async function findMismatch(chain: Chain, signal: AbortSignal): Promise<string | null> {
  const answers = await chain.pool.askAll(async (node) => {
    const chainId = await node.ask('eth_chainId', [], quantity, signal)
    if (chainId !== chain.chainId) return `${node.name} is of chain ${chainId}, the settings say ${chain.chainId}`
    for (const asset of chain.assets) {
      const mismatch = asset.key === COIN ? null : await compareToken(node, asset, signal)
      if (mismatch !== null) return mismatch
    }
    return null
  })
  return answers.find(({ value }) => value !== null)?.value ?? null
}

async function compareToken(node: RpcNode, asset: Asset, signal: AbortSignal): Promise<string | null> {
  const ask = (data: string) => node.ask('eth_call', [{ to: asset.key, data }, 'latest'], bytes, signal)
  const decimals = await ask(DECIMALS)
  if (decimals.length !== WORD + 2 || BigInt(decimals) !== BigInt(asset.decimals)) {
    return `${node.name}: the contract of ${asset.symbol} has not ${asset.decimals} decimals`
  }
  const symbol = readText(await ask(SYMBOL))
  return symbol === asset.chainSymbol ? null : `${node.name}: the contract of ${asset.symbol} calls itself otherwise`
}

/** Decodes an ABI string, or the 32 bytes that older contracts return instead. */
function readText(data: string): string {
  const all = Buffer.from(data.slice(2), 'hex')
  if (all.length === 32) return all.toString('utf8').replace(/\0+$/, '')
  if (all.length < 96) return ''
  const length = BigInt(`0x${all.subarray(32, 64).toString('hex')}`)
  return length > BigInt(all.length - 64) ? '' : all.subarray(64, 64 + Number(length)).toString('utf8')
}
