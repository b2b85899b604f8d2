/** Compares the speed of this working tree with that of a revision: `npm run bench -- --against REV [NAME…]`. */
import { runBenchmark } from '../parts/run-benchmark.ts'
import { build, checkOut, ROOT } from './checkout.ts'
import { compare } from './compare.ts'
import { ends } from './ends.ts'
import { live } from './live.ts'
import { purchase } from './purchase.ts'
import { anonymousHome, getBalance, getStatus, signedInHome } from './replies.ts'
import { loadSide } from './sides.ts'

const CASES = {
  purchase: { purchase },
  ends: { ends },
  live: { live },
  'handler-api': { getStatus, getBalance },
  pages: { 'anonymous home': anonymousHome, 'signed-in home': signedInHome },
}
const LIMIT_SECONDS = 1_800

const [revision = '', ...names] = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(CASES, name))
if (revision === '' || unknown.length > 0) {
  console.error(`--against REV [NAME…]: the names are ${Object.keys(CASES).join(', ')}.`)
  process.exit(1)
}

await runBenchmark(
  async () => {
    const { folder, commit } = await checkOut(revision)
    if (names.length === 0 || names.includes('pages')) await build(ROOT)
    const sides = { ours: await loadSide('ours', ROOT), theirs: await loadSide('theirs', folder) }
    console.log(`ours is this tree, theirs is ${commit.slice(0, 12)}`)
    for (const [name, cases] of Object.entries(CASES)) {
      if (names.length > 0 && !names.includes(name)) continue
      for (const [what, open] of Object.entries(cases)) {
        await using stack = new AsyncDisposableStack()
        const loads = { ours: await open(stack, sides.ours), theirs: await open(stack, sides.theirs) }
        await compare(what, loads)
      }
    }
  },
  { limitSeconds: LIMIT_SECONDS },
)
