import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SECOND } from '#contract/time.ts'
import { requireProgram } from '#test/harness/programs.ts'
import type { TestClock } from '#test/harness/test-clock.ts'
import { compileTokens, type Tokens } from './tokens.ts'

const FOLDER = new URL(
  `../../../node_modules/@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin`,
  import.meta.url,
)

/** The path of the program anvil, or undefined if its package does not support this machine. */
export const anvilProgram = requireProgram('anvil', [fileURLToPath(FOLDER)])

/** The time between two blocks in ms, on the test clock that the chain and the service share. */
const BLOCK_MS = 12 * SECOND

export type Anvil = AsyncDisposable & {
  url: string
  accounts: readonly string[]
  ask<T>(method: string, ...params: unknown[]): Promise<T>
  /** Mines blocks, of which the first includes all pending transactions. */
  mine(blocks?: number): Promise<void>
  height(): Promise<number>
  /** Sends a transaction, which stays pending. Returns its hash. */
  send(transaction: { from?: string; to?: string; value?: bigint; data?: string }): Promise<string>
  deploy(name: TokenName, ...words: bigint[]): Promise<string>
  /** Transfers a token from the account that owns the whole supply. */
  transfer(token: string, to: string, units: bigint): Promise<string>
}
type TokenName = keyof Tokens

/** Starts a real Ethereum node in its own process, which mines only when told to. */
export async function startAnvil(clock: TestClock): Promise<Anvil> {
  const start = Math.floor(clock.now().getTime() / SECOND)
  const options = ['--port', '0', '--no-mining', '--order', 'fifo', '--timestamp', String(start), '--accounts', '3']
  const free = ['--gas-price', '0', '--base-fee', '0', '--gas-limit', '30000000']
  const child = spawn(anvilProgram ?? '', [...options, ...free], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await listening(child.stdout)
  let asked = 0
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    asked += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: asked, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error !== undefined) throw new Error(`anvil refused ${method}: ${error.message}`)
    return result
  }
  const accounts = await ask<string[]>('eth_accounts')
  const anvil: Anvil = {
    url,
    accounts,
    ask,
    async mine(blocks = 1) {
      for (let mined = 0; mined < blocks; mined += 1) {
        clock.advance(BLOCK_MS)
        await ask('evm_setNextBlockTimestamp', Math.floor(clock.now().getTime() / SECOND))
        await ask('evm_mine')
      }
    },
    height: async () => Number(await ask<string>('eth_blockNumber')),
    // All fields are given, so that a repeated transaction has the same hash.
    send: ({ from = accounts[0], value = 0n, ...rest }) =>
      ask('eth_sendTransaction', {
        from,
        value: toHex(value),
        gas: '0x3d0900',
        gasPrice: '0x0',
        ...rest,
      }),
    async deploy(name, ...words) {
      const code = (await compileTokens())[name]
      const hash = await anvil.send({ data: code + words.map(toWord).join('') })
      await anvil.mine()
      const receipt = await ask<{ contractAddress: string; status: string }>('eth_getTransactionReceipt', hash)
      if (receipt.status !== '0x1') throw new Error(`${name} was not deployed`)
      return receipt.contractAddress
    },
    transfer: (token, to, units) =>
      anvil.send({ to: token, data: `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${toWord(units)}` }),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
  }
  return anvil
}

async function listening(out: AsyncIterable<Buffer>): Promise<string> {
  let said = ''
  for await (const part of out) {
    said += part.toString()
    const address = /Listening on (\S+)/.exec(said)?.[1]
    if (address !== undefined) return `http://${address}`
  }
  throw new Error(`anvil ended: ${said}`)
}

export const toHex = (value: bigint | number): string => `0x${value.toString(16)}`
const toWord = (value: bigint): string => value.toString(16).padStart(64, '0')
