import { existsSync } from 'node:fs'
import { startVitest } from 'vitest/node'
import { ROOT } from './run-step.mjs'
import { countTests } from './suite/count-tests.mjs'
import { closeRunner, emptyResult } from './suite/runner-result.mjs'

const [name = 'unit', ...files] = process.argv.slice(2)
const result = emptyResult(name)
const count = (counted, unhandledErrors) => countTests(result, counted, unhandledErrors)

const NEEDED = { 'postgres-15': { path: '/usr/lib/postgresql/15/bin/postgres', whose: 'postgresql-15 of Debian' } }

const needed = NEEDED[name]
if (needed === undefined || existsSync(needed.path)) await runProject()
else result.notRun.push(`the calls on PostgreSQL 15 (needs ${needed.whose}: ${needed.path} is not there)`)
closeRunner(result)

async function runProject() {
  const vitest = await startVitest('test', files, {
    root: ROOT,
    project: [name],
    watch: false,
    reporters: ['default', { onTestRunEnd: count }],
  })
  await vitest.close()
  if (result.passed + result.failed + result.notRun.length === 0) {
    console.error(`There are no tests in ${name}.`)
    result.failed = 1
  }
}
