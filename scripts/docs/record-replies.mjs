// Records the replies that /doc shows from the running service. The test compares their shapes at every run.
import { runAloud } from '../run-step.mjs'

const FILES = ['server/surfaces/site/reference/replies.json', 'server/surfaces/site/reference/protocols/replies.json']

const test = [
  'scripts/run-vitest.mjs',
  'unit',
  'test/clients/reference-replies.test.ts',
  'test/clients/reference-protocols.test.ts',
]
const env = { ...process.env, RECORD_REPLIES: '1' }
const recorded = await runAloud({ command: process.execPath, args: test, env })
const format = ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', ...FILES]
if (!recorded || !(await runAloud({ command: process.execPath, args: format }))) process.exitCode = 1
