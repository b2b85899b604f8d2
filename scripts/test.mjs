/** Runs on Node 20, and installs the Node that the tests need. A failing runner does not stop the next. */
import { spawn } from 'node:child_process'
import { buildPages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { findNode } from './pinned-node.mjs'
import { ROOT, withNodeOnPath } from './run-step.mjs'
import { inCi, printResult } from './runner-result.mjs'

try {
  await ensureInstalled({ withTestTools: true })
  const node = await findNode()
  const results = [await run('check', node, ['scripts/check.mjs']), await build(node)]
  // In sequence: each runner uses two cores, and e2e tests that share them run into time-outs.
  for (const name of ['components', 'e2e', 'unit', 'postgres-15']) {
    results.push(await run(name, node, ['scripts/run-vitest.mjs', name]))
  }
  console.log('')
  for (const result of results) printResult(result)
  const failed = results.some((result) => result.failed > 0)
  // A missing tool may skip a test locally, never in CI.
  const incomplete = inCi() && results.some((result) => result.notRun.length > 0)
  if (incomplete) console.error('In CI every test must run.')
  process.exitCode = failed || incomplete ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function build(node) {
  const result = { name: 'build', passed: 1, failed: 0, notRun: [], faults: [] }
  try {
    await buildPages({ node })
    return result
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { ...result, passed: 0, failed: 1 }
  }
}

/** A runner that ends without a result has failed. */
function run(name, node, args) {
  console.log(`\n# ${name}`)
  return new Promise((resolve) => {
    let result = { name, passed: 0, failed: 1, notRun: [], faults: [] }
    const child = spawn(node, args, {
      cwd: ROOT,
      env: withNodeOnPath(node),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    child.on('message', (message) => {
      result = message
    })
    child.once('error', (error) => {
      console.error(error.message)
      resolve(result)
    })
    child.once('close', (code) => {
      const crashed = code !== 0 && result.failed === 0
      resolve(crashed ? { ...result, failed: 1 } : result)
    })
  })
}
