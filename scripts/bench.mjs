import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findNode } from './pinned-node.mjs'
import { ROOT, runAloud, withNodeOnPath } from './run-step.mjs'

const [first, ...rest] = process.argv.slice(2)
const node = await findNode()
const isGood = first === '--against' ? await run('against/main.ts', rest) : await runNamed(process.argv.slice(2))
if (!isGood) process.exitCode = 1

/** @param {string[]} asked */
async function runNamed(asked) {
  const names = (await readdir(join(ROOT, 'bench'))).filter((name) => name.endsWith('.ts')).sort()
  const chosen = names.filter((name) => asked.length === 0 || asked.includes(name.replace(/\.ts$/, '')))
  if (chosen.length === 0) {
    console.error(
      `No such benchmark; there are: ${names.map((name) => name.replace(/\.ts$/, '')).join(', ') || 'none'}.`,
    )
  }
  let isGood = chosen.length > 0
  for (const name of chosen) {
    console.log(`\n# ${name}`)
    isGood = (await run(name)) && isGood
  }
  return isGood
}

/** @param {string} file @param {string[]} args */
function run(file, args = []) {
  return runAloud({ command: node, args: [`bench/${file}`, ...args], env: withNodeOnPath(node) })
}
