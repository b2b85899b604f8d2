import { openScriptedChain } from '#test/fakes/chain/scripted-chain.ts'
import { answerParent } from './ask-child.ts'

/**
 * The token transfers per block. Each transfer whose number is divisible by `OURS` goes to an address of the service.
 */
const TRANSFERS = 20
const OURS = 100
const BLOCK_MS = 12_000
const STRANGERS = 1n << 80n

const start = new Date('2026-01-01T00:00:00Z')
const chain = await openScriptedChain(start)
let written = 0

const answers = {
  address: () => ({ url: chain.url, chainId: chain.chainId }),

  /** Adds blocks with transfers. `owners` is the number of the service's addresses. */
  write({ blocks, owners }: { blocks: number; owners: number }) {
    for (let made = 0; made < blocks; made += 1) {
      written += 1
      const at = new Date(start.getTime() + written * BLOCK_MS)
      const transfers = Array.from({ length: TRANSFERS }, (_, place) => {
        const number = BigInt(written * TRANSFERS + place)
        const to = number % BigInt(OURS) === 0n ? number % BigInt(owners) : STRANGERS + number
        return { to: addressAt(to), units: 10_000_000n }
      })
      chain.mine(at, transfers)
    }
    return { height: written }
  },

  asked() {
    const counts = Object.fromEntries(chain.asked)
    chain.asked.clear()
    return counts
  },
}
export type NodeAnswers = typeof answers

function addressAt(number: bigint): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}

answerParent(answers, async () => chain[Symbol.asyncDispose]())
