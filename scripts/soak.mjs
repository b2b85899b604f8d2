import { ensureInstalled } from './install.mjs'
import { findNode } from './pinned-node.mjs'
import { runAloud, withNodeOnPath } from './run-step.mjs'

await ensureInstalled({ withTestTools: true })
const asked = process.argv.slice(2)
// The installation above provides the packages of this module, so it is imported late.
const { readSourceFiles } = await import('./checks/source-files.mjs')
const files = await readSourceFiles()
// The modules whose import marks random tests. Crash walks are random tests.
const TELLS_LENGTH = ['#test/harness/random-runs.ts', './define-walks.ts', '../define-walks.ts']
const random = files.filter(
  ({ path, imports }) => path.includes('.test.') && imports.some(({ specifier }) => TELLS_LENGTH.includes(specifier)),
)
const chosen = random
  .map(({ path }) => path)
  .filter((path) => asked.length === 0 || asked.some((name) => path.includes(name)))
if (chosen.length === 0) {
  console.error(`No such random test; there are:\n${random.map(({ path }) => path).join('\n')}`)
  process.exitCode = 1
} else {
  const node = await findNode()
  const args = ['scripts/run-vitest.mjs', 'soak', ...chosen]
  if (!(await runAloud({ command: node, args, env: withNodeOnPath(node) }))) process.exitCode = 1
}
