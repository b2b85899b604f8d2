import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { keepServing } from './keep-serving.mjs'
import { ROOT } from './run-step.mjs'

const SERVE_AND_DIE = `process.send('serving', () => process.exit(3))`
const SERVE_ON = `process.send('serving'); process.once('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000)`

function newHouse() {
  const house = { said: [], pauses: [] }
  house.say = (sentence) => house.said.push(sentence)
  house.pause = async (ms) => house.pauses.push(ms)
  return house
}

const program = (script) => ({ command: process.execPath, args: ['-e', script], cwd: '.', env: process.env })

test('a server that serves and dies is started again with growing pauses, and given up with one sentence', async () => {
  const house = newHouse()
  expect(await keepServing(program(SERVE_AND_DIE), house).ended).toBe(3)
  expect(house.pauses).toEqual([0, 250, 1_000, 4_000])
  expect(house.said.slice(0, 2)).toEqual([
    'Ringpost ended with code 3 and is started again now.',
    'Ringpost ended with code 3 and is started again in 0.25 s.',
  ])
  expect(house.said.slice(4)).toEqual([
    'Ringpost ended 5 times in a row soon after its start: it is not started again.',
  ])
})

test('one that cannot start, or is displaced, or was killed before it served, is not started again', async () => {
  const house = newHouse()
  const displaced = `process.send('serving'); process.send('displaced', () => process.exit(1))`
  const codes = []
  for (const script of ['process.exit(1)', displaced, 'process.kill(process.pid, "SIGKILL")'])
    codes.push(await keepServing(program(script), house).ended)
  expect(codes).toEqual([1, 1, 137])
  expect(house).toMatchObject({ said: [], pauses: [] })
})

test('asked to stop, it stops the server, or the pause before the next one', async () => {
  const serving = keepServing(program(SERVE_ON), newHouse())
  // A signal before the server's signal handler exists must end the server, too.
  serving.stop('SIGTERM')
  expect([0, 143]).toContain(await serving.ended)
  const pausing = Promise.withResolvers()
  const house = { ...newHouse(), pause: () => new Promise(() => pausing.resolve()) }
  const died = keepServing(program(SERVE_AND_DIE), house)
  await pausing.promise
  died.stop('SIGTERM')
  expect(await died.ended).toBe(3)
})

// Regression test: `npm start` failed on the oldest Node of the README, but tests run on the packaged Node.
test('it runs on the Node of this machine, which may be 20', async () => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const script = `
    const { keepServing } = await import('./scripts/keep-serving.mjs')
    const server = { command: process.execPath, args: ['-e', ${JSON.stringify(SERVE_AND_DIE)}], cwd: '.', env: process.env }
    const code = await keepServing(server, { pause: async () => {}, say: () => {} }).ended
    console.log(process.versions.node, code)
    process.exit()
  `
  const env = { ...process.env, PATH: folders.join(delimiter) }
  const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', script], { cwd: ROOT, env })
  expect(stdout).toMatch(/^\d+\.\S+ 3\n$/)
})
