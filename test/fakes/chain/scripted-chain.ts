import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SECOND } from '#contract/time.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const SCRIPTED_TOKEN = `0x${'70'.repeat(20)}`
const PAYER = `0x${'0a'.repeat(20)}`
const DECIMALS = 6n

export type ScriptedTransfer = { to: string; units: bigint }
type Question = { id: number; method: string; params: unknown[] }
type Block = { number: number; hash: string; parentHash: string; timestamp: string; logs: object[] }

/** A blockchain node whose blocks a test writes, if a real node is too slow or changes by itself. */
export type ScriptedChain = AsyncDisposable & {
  url: string
  chainId: number
  asked: Map<string, number>
  mine(at: Date, transfers?: readonly ScriptedTransfer[]): void
  /** Drops the newest blocks, as a chain reorganisation does. */
  drop(blocks: number): void
}

export async function openScriptedChain(start: Date, chainId = 77): Promise<ScriptedChain> {
  const blocks: Block[] = []
  const byHash = new Map<string, Block>()
  const asked = new Map<string, number>()
  let made = 0
  const mine = (at: Date, transfers: readonly ScriptedTransfer[] = []) => {
    made += 1
    const number = blocks.length
    const parentHash = blocks.at(-1)?.hash ?? hashOf('none')
    const hash = hashOf(`${parentHash} ${made}`)
    const logs = transfers.map(({ to, units }, place) => logOf({ to, units, place, hash, made }))
    const block = { number, hash, parentHash, timestamp: toHex(Math.floor(at.getTime() / SECOND)), logs }
    blocks.push(block)
    byHash.set(hash, block)
  }
  mine(start)
  const answer = (method: string, params: readonly unknown[]): unknown => {
    switch (method) {
      case 'eth_chainId':
        return toHex(chainId)
      case 'eth_blockNumber':
        return toHex(blocks.length - 1)
      case 'eth_getBlockByNumber': {
        const { logs, number, ...block } = blocks[Number(params[0])] ?? { logs: [], number: -1 }
        return number < 0 ? null : { ...block, number: toHex(number), transactions: [] }
      }
      case 'eth_getLogs':
        return byHash.get((params[0] as { blockHash: string }).blockHash)?.logs ?? null
      case 'eth_call':
        return callOf((params[0] as { data: string }).data)
      default:
        return null
    }
  }
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const asks: Question | Question[] = JSON.parse(Buffer.concat(parts).toString())
      const answerTo = ({ id, method, params }: Question) => {
        asked.set(method, (asked.get(method) ?? 0) + 1)
        return { jsonrpc: '2.0', id, result: answer(method, params) }
      }
      reply.writeHead(200, { 'content-type': 'application/json' })
      reply.end(JSON.stringify(Array.isArray(asks) ? asks.map(answerTo) : answerTo(asks)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chainId,
    asked,
    mine,
    drop: (count) => {
      for (const { hash } of blocks.splice(-count)) byHash.delete(hash)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function logOf({
  to,
  units,
  place,
  hash,
  made,
}: ScriptedTransfer & { place: number; hash: string; made: number }): object {
  return {
    address: SCRIPTED_TOKEN,
    topics: [TRANSFER, toTopic(PAYER), toTopic(to)],
    data: `0x${units.toString(16).padStart(64, '0')}`,
    transactionHash: hashOf(`transaction ${made} ${place}`),
    blockHash: hash,
    logIndex: toHex(place),
  }
}

function callOf(data: string): string {
  if (data === '0x313ce567') return `0x${DECIMALS.toString(16).padStart(64, '0')}`
  return `0x${Buffer.from('USDT').toString('hex').padEnd(64, '0')}`
}

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`
const toTopic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const toHex = (value: number): string => `0x${value.toString(16)}`
