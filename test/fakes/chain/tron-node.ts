import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Anvil } from './anvil.ts'

/** The chain id of TRON's test network Nile, as java-tron reports it. */
export const NILE = 0xcd8690dc
const SOLID_BLOCKS = 19
const ADDRESS = /^0x(?:41)?[0-9a-fA-F]{40}$/
const MOST_ADDRESSES = 1_000
const HEIGHT_DIGITS = 16

type Question = { id: number; method: string; params: unknown[] }
type Block = { number: string; hash: string; parentHash: string; timestamp: string }
type Log = { blockNumber: string; address: string }
type Receipt = { status: string; logs: Log[] }

/** Plays a node of java-tron 4.8.2 by its documentation: the chain of anvil in TRON's formats and limits. */
export type TronNode = AsyncDisposable & {
  url: string
  faults: string[]
  /** If true, the index of logs is off, so requests for logs get an empty answer without an error. */
  hasGap: boolean
  /** If true, the rate limiter answers with status 200 and not in JSON-RPC. */
  isBusy: boolean
}

class Refused extends Error {}

const filterSchema = z.strictObject({
  blockHash: z.string(),
  address: z.array(z.string()).max(MOST_ADDRESSES),
  topics: z.array(z.string()).max(4),
})

export async function openTronNode(anvil: Anvil): Promise<TronNode> {
  const node = { faults: [] as string[], hasGap: false, isBusy: false }
  const solid = async () => toHex(Math.max(0, (await anvil.height()) - SOLID_BLOCKS))
  const blockAt = async (number: string) => {
    const block = await anvil.ask<Block | null>('eth_getBlockByNumber', number, false)
    return block && toTron(block)
  }
  const answers: Record<string, (params: unknown[]) => Promise<unknown>> = {
    eth_chainId: async () => toHex(NILE),
    eth_blockNumber: () => anvil.ask('eth_blockNumber'),
    async eth_getBlockByNumber([tag]) {
      if (tag === 'safe' || tag === 'pending') throw new Refused(`TAG ${tag} not supported`)
      return blockAt(tag === 'finalized' ? await solid() : String(tag))
    },
    async eth_getLogs([filter]) {
      const { blockHash, ...rest } = filterSchema.parse(filter)
      if (rest.address.some((address) => !ADDRESS.test(address))) throw new Refused('invalid address')
      const number = heightOf(blockHash)
      const block = await blockAt(number)
      if (block === null) throw new Refused('invalid blockHash')
      if (node.hasGap) return []
      const logs = await anvil.ask<Log[]>('eth_getLogs', { ...rest, fromBlock: number, toBlock: number })
      return logs.map((log) => ({ ...log, blockHash: block.hash, removed: false }))
    },
    async eth_getBlockReceipts([hash]) {
      const block = await blockAt(heightOf(String(hash)))
      if (block === null) throw new Refused('invalid blockHash')
      const receipts = await anvil.ask<Receipt[]>('eth_getBlockReceipts', block.number)
      return receipts.map(({ status, logs }) => ({
        status,
        // Receipts have addresses of 21 bytes, which requests accept too.
        logs: logs.map((log) => ({ ...log, address: `0x41${log.address.slice(2)}`, blockHash: block.hash })),
      }))
    },
    async eth_call([call, tag]) {
      if (tag !== 'latest') throw new Refused('QUANTITY not supported, just support TAG as latest')
      return anvil.ask('eth_call', call, 'latest')
    },
  }
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const question = JSON.parse(Buffer.concat(parts).toString()) as Question | Question[]
      const say = (said: object) =>
        reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
      if (node.isBusy) return say({ Error: 'class java.lang.Exception : lack of computing resources' })
      // The documentation does not tell whether java-tron accepts batches, so this node refuses them.
      if (Array.isArray(question))
        return say({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'no lists' } })
      const { id, method, params } = question
      const answer = answers[method]?.(params) ?? Promise.reject(new Refused(`${method} is not available`))
      answer.then(
        (result) => say({ jsonrpc: '2.0', id, result }),
        (error: unknown) => {
          node.faults.push(`${method}: ${String(error)}`)
          say({ jsonrpc: '2.0', id, error: { code: -32_602, message: String(error) } })
        },
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(node, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** The first eight bytes of a block's id are its height. Header fields that only Ethereum has are empty. */
function toTron(block: Block): Block & Record<string, unknown> {
  const number = Number(block.number)
  return {
    number: block.number,
    hash: idOf(number, block.hash),
    parentHash: idOf(number - 1, block.parentHash),
    timestamp: block.timestamp,
    stateRoot: '0x',
    nonce: '0x0',
    baseFeePerGas: '0x0',
    uncles: [],
  }
}

const toHex = (value: number): string => `0x${value.toString(16)}`
const idOf = (number: number, hash: string): string =>
  `0x${Math.max(0, number).toString(16).padStart(HEIGHT_DIGITS, '0')}${hash.slice(2 + HEIGHT_DIGITS)}`
const heightOf = (id: string): string => toHex(Number.parseInt(id.slice(2, 2 + HEIGHT_DIGITS), 16))
