/** Starts a cluster of the demo to look at. Runs on Node 20 and installs the Node version that the server needs. */
import { buildPages } from '../build.mjs'
import { ensureInstalled } from '../install.mjs'
import { keepServing } from '../keep-serving.mjs'
import { findNode } from '../pinned-node.mjs'
import { ROOT, withNodeOnPath } from '../run-step.mjs'

try {
  await ensureInstalled({ withTestTools: false })
  const node = await findNode()
  await buildPages({ node })
  // Ctrl-C reaches only this process, so the cluster's own program stops its parts in order.
  const program = { command: node, args: ['scripts/cluster/run.ts'], cwd: ROOT, env: withNodeOnPath(node) }
  process.exitCode = await keepServing(program).ended
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
