import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findNode } from './pinned-node.mjs'
import { ROOT, runAloud, withNodeOnPath } from './run-step.mjs'

const words = process.argv.slice(2)
const isAgainst = words[0] === '--against'
const asked = isAgainst ? [] : words
const names = (await readdir(join(ROOT, 'bench'))).filter((name) => name.endsWith('.ts')).sort()
const chosen = names.filter((name) => asked.length === 0 || asked.includes(name.replace(/\.ts$/, '')))
if (chosen.length === 0) {
  console.error(`No such benchmark; there are: ${names.map((name) => name.replace(/\.ts$/, '')).join(', ') || 'none'}.`)
  process.exitCode = 1
}
const node = await findNode()
for (const name of isAgainst ? [] : chosen) {
  console.log(`\n# ${name}`)
  if (!(await runAloud({ command: node, args: [`bench/${name}`], env: withNodeOnPath(node) }))) process.exitCode = 1
}
if (isAgainst) {
  const args = ['bench/against/main.ts', ...words.slice(1)]
  if (!(await runAloud({ command: node, args, env: withNodeOnPath(node) }))) process.exitCode = 1
}
