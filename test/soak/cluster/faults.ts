import { listNodes } from '#server/house/nodes/queries.ts'
import type { Machine } from './machines.ts'
import type { NodeMachine } from './node-machines.ts'
import type { Random } from './random.ts'
import { sleep, until } from './wait.ts'
import type { World } from './world.ts'

const END_LIMIT_MS = 60_000
const NODES_LISTED = 50

/** `run` breaks something, waits and mends it. */
export type Fault = { name: string; run(world: World, random: Random): Promise<void> }

/** A time between these milliseconds. */
const between = (random: Random, least: number, most: number) => sleep(least + random.below(most - least))

const postgresOf = ({ postgres }: World): Machine[] => postgres.pair.map(({ machine }) => machine)

/** Starts a node again if it has ended. A node that was declared dead must end by itself. */
async function revive({ pool }: World, { machine, program, start }: NodeMachine): Promise<void> {
  const hasEnded = async () => {
    const rows = await listNodes(pool, NODES_LISTED)
    return !rows.some(({ host, ended_at: endedAt }) => host === machine.name && endedAt === null)
  }
  // A node that learns of its death needs a moment to end.
  await sleep(1_500)
  const isSettled = async () => !program.isRunning() || !(await hasEnded())
  await until(isSettled, END_LIMIT_MS, `${machine.name} was declared dead and does not end`)
  if (!program.isRunning()) await start()
}

async function stop(node: NodeMachine): Promise<void> {
  node.program.child.kill('SIGTERM')
  await node.program.ended
}

async function withClock(world: World, random: Random, clockAheadMs: number): Promise<void> {
  const node = random.pick(world.nodes)
  await stop(node)
  await node.start({ clockAheadMs })
  await between(random, 4_000, 10_000)
  await stop(node)
  await node.start()
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'a node is killed',
    async run({ nodes }, random) {
      const node = random.pick(nodes)
      await node.program.kill()
      await between(random, 0, 5_000)
      await node.start()
    },
  },
  {
    name: 'two nodes are killed',
    async run({ nodes }, random) {
      const rest = random.pick(nodes)
      const lost = nodes.filter((node) => node !== rest)
      for (const node of lost) {
        await node.program.kill()
        await between(random, 0, 1_000)
      }
      await Promise.all(lost.map((node) => node.start()))
    },
  },
  {
    name: 'a node is frozen for longer than its lease',
    async run(world, random) {
      const { nodes } = world
      const node = random.pick(nodes)
      node.program.child.kill('SIGSTOP')
      await between(random, 4_500, 12_000)
      node.program.child.kill('SIGCONT')
      await revive(world, node)
    },
  },
  {
    name: 'a node is frozen for a moment',
    async run(world, random) {
      const { nodes } = world
      const node = random.pick(nodes)
      node.program.child.kill('SIGSTOP')
      await between(random, 300, 3_500)
      node.program.child.kill('SIGCONT')
      await revive(world, node)
    },
  },
  {
    name: 'a node is cut off',
    async run(world, random) {
      const { nodes } = world
      const node = random.pick(nodes)
      await node.machine.cut()
      await between(random, 500, 12_000)
      await node.machine.join()
      await revive(world, node)
    },
  },
  {
    name: 'a node is cut off from Redis',
    async run(world, random) {
      const { nodes, redis } = world
      const node = random.pick(nodes)
      await redis.machine.lose([node.machine])
      await between(random, 500, 10_000)
      await redis.machine.find([node.machine])
      await revive(world, node)
    },
  },
  {
    name: 'a node is cut off from PostgreSQL',
    async run(world, random) {
      const node = random.pick(world.nodes)
      const machines = postgresOf(world)
      for (const machine of machines) await machine.lose([node.machine])
      await between(random, 500, 10_000)
      for (const machine of machines) await machine.find([node.machine])
      await revive(world, node)
    },
  },
  {
    name: 'Redis is killed and starts empty',
    async run({ redis }, random) {
      await redis.program.kill()
      await between(random, 0, 6_000)
      redis.start()
    },
  },
  {
    name: 'Redis is frozen',
    async run({ redis }, random) {
      redis.program.child.kill('SIGSTOP')
      await between(random, 500, 6_000)
      redis.program.child.kill('SIGCONT')
    },
  },
  {
    name: 'Redis is full',
    async run({ redis }, random) {
      await redis.ask('CONFIG', 'SET', 'maxmemory', '1')
      await between(random, 2_000, 8_000)
      await redis.ask('CONFIG', 'SET', 'maxmemory', '0')
    },
  },
  {
    name: 'the primary is lost',
    async run({ postgres }) {
      const primary = await until(() => postgres.primary(), END_LIMIT_MS, 'no PostgreSQL leads')
      await primary.kill()
      const isOther = async () => ![undefined, primary].includes(await postgres.primary())
      await until(isOther, END_LIMIT_MS, 'the stand-by is not promoted')
      primary.start()
    },
  },
  {
    name: 'the primary is cut off',
    async run({ postgres }, random) {
      const primary = await until(() => postgres.primary(), END_LIMIT_MS, 'no PostgreSQL leads')
      await primary.machine.cut()
      const isOther = async () => ![undefined, primary].includes(await postgres.primary())
      await until(isOther, END_LIMIT_MS, 'the stand-by is not promoted')
      await between(random, 0, 3_000)
      await primary.machine.join()
    },
  },
  {
    name: 'the stand-by is lost',
    async run({ postgres }, random) {
      const primary = await until(() => postgres.primary(), END_LIMIT_MS, 'no PostgreSQL leads')
      const standBy = postgres.pair.find((one) => one !== primary)
      await standBy?.kill()
      await between(random, 0, 4_000)
      standBy?.start()
    },
  },
  { name: 'the primary and its stand-by change places', run: ({ postgres }) => postgres.switchOver() },
  {
    name: 'a node is renewed',
    async run({ nodes }, random) {
      const node = random.pick(nodes)
      await stop(node)
      await node.start()
    },
  },
  {
    name: 'the clock of a node is wrong by less than a second',
    run: (world, random) => withClock(world, random, random.pick([-900, -400, 400, 900])),
  },
  {
    name: 'the clock of a node is wrong by seconds',
    run: (world, random) => withClock(world, random, random.pick([-8_000, -4_000, 4_000, 8_000])),
  },
]

/** Returns the fault of a round: each once, in an order that the seed draws, and then again. `only` is part of names. */
export function faultOf(round: number, drawn: (turn: number) => Random, only?: string): Fault {
  const left = FAULTS.filter(({ name }) => only === undefined || name.includes(only))
  const random = drawn(Math.floor(round / left.length))
  const before = round % left.length
  for (let place = 0; place < before; place += 1) left.splice(left.indexOf(random.pick(left)), 1)
  return random.pick(left)
}
