import { ensureInstalled } from './install.mjs'
import { findNode } from './pinned-node.mjs'
import { runAloud, withNodeOnPath } from './run-step.mjs'

/**
 * The network, the processes and the mounts of a cluster's machines end with the program that makes them. The shell stays
 * to bury processes whose parents were killed.
 */
const ALONE = [
  ...['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['sh', '-ec', 'mount -t tmpfs tmpfs /run && mkdir /run/netns; "$@"; exit', 'sh'],
]
/** Programs that are no tests, with their files. Each runs by its name alone. */
const PROGRAMS = {
  cluster: { file: 'test/soak/cluster/run.ts', before: ALONE },
  'cluster-faults': { file: 'test/soak/planted/run.ts', before: [] },
  screens: { file: 'test/screens/run.ts', before: [] },
  // WebKitGTK needs a display.
  browsers: {
    file: 'test/soak/browsers/run.ts',
    before: ['xvfb-run', '--auto-servernum', '--server-args=-screen 0 1600x1000x24'],
  },
}

await ensureInstalled({ withTestTools: true })
const asked = process.argv.slice(2)
const program = PROGRAMS[asked[0]]
const isRight = program === undefined ? await runTests() : await runProgram(program, asked.slice(1))
if (!isRight) process.exitCode = 1

async function runProgram({ file, before }, given) {
  // The installation above provides the packages of this module, so it is imported late.
  const { buildPages } = await import('./build.mjs')
  const node = await findNode()
  await buildPages({ node })
  const [command, ...args] = [...before, node, file, ...given]
  return runAloud({ command, args, env: withNodeOnPath(node) })
}

async function runTests() {
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
    const there = [...random.map(({ path }) => path), ...Object.keys(PROGRAMS)]
    console.error(`No such random test; there are:\n${there.join('\n')}`)
    return false
  }
  const node = await findNode()
  const args = ['scripts/run-vitest.mjs', 'soak', ...chosen]
  return runAloud({ command: node, args, env: withNodeOnPath(node) })
}
