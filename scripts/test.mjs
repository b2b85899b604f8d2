/** Runs all tests, even after a failure. Runs on Node 20 and installs the Node version that the tests need. */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { buildPages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { findNode } from './pinned-node.mjs'
import { ROOT, withNodeOnPath } from './run-step.mjs'
import { closeRun, emptyResult, inCi } from './suite/runner-result.mjs'

try {
  await ensureInstalled({ withTestTools: true })
  const node = await findNode()
  const vitest = (name, options) => run(name, [node, 'scripts/run-vitest.mjs', name], options)
  const results = [await build(node)]
  // `check` and `postgres-15` use the third of the processor that `e2e` leaves idle.
  const aside = async () => [
    await run('check', [node, 'scripts/check.mjs'], { aside: true }),
    await vitest('postgres-15', { aside: true }),
  ]
  results.push(...(await Promise.all([vitest('e2e'), aside()])).flat())
  // Runners run one after another, because each uses two processor cores.
  for (const name of ['components', 'unit']) results.push(await vitest(name))
  console.log('')
  const isWell = closeRun(results)
  // A missing tool may skip a test locally, but never in CI.
  const incomplete = inCi() && results.some((result) => result.notRun.length > 0)
  if (incomplete) console.error('In CI every test must run.')
  process.exitCode = isWell && !incomplete ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function build(node) {
  const result = { ...emptyResult('build'), passed: 1 }
  try {
    await buildPages({ node })
    return result
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { ...result, passed: 0, failed: 1 }
  }
}

/** Starts a test runner, which has failed if it ends without a result. `aside` means a low priority and late output. */
function run(name, [node, ...args], { aside = false } = {}) {
  if (!aside) console.log(`\n# ${name}`)
  return new Promise((resolve) => {
    let result = { ...emptyResult(name), failed: 1 }
    let said = ''
    const output = aside ? 'pipe' : 'inherit'
    const child = spawn(node, args, {
      cwd: ROOT,
      env: withNodeOnPath(node),
      stdio: [aside ? 'ignore' : 'inherit', output, output, 'ipc'],
    })
    // Later child processes of the runner inherit this priority.
    if (aside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part) => {
        said += part
      })
    }
    child.on('message', (message) => {
      result = message
    })
    child.once('error', (error) => {
      console.error(error.message)
      resolve(result)
    })
    child.once('close', (code) => {
      if (aside) console.log(`\n# ${name}\n${said}`)
      const crashed = code !== 0 && result.failed === 0
      resolve(crashed ? { ...result, failed: 1 } : result)
    })
  })
}
