import { type CpuMicros, type Pids, readCpu } from '../parts/cluster/cpu-time.ts'
import { median, quantile } from '../parts/rounds.ts'

export type Figures = Record<string, number>
export type Round = { operations: number; figures: Figures }

/** The work that is measured in one revision. The time of `prepare` is not measured. */
export type Load = {
  pids: Pids
  prepare?: () => Promise<void>
  round: () => Promise<Round>
}

type Measured = Round & { cpu: CpuMicros }

const ROUNDS = 12
/** The number of unmeasured rounds. Node compiles hot code only after about a thousand SMS. */
const WARM_UPS = 6

export async function compare(what: string, loads: { ours: Load; theirs: Load }): Promise<void> {
  const found: Record<keyof typeof loads, Measured[]> = { ours: [], theirs: [] }
  const sides = ['ours', 'theirs'] as const
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const measured = await measure(loads[side])
      if (round >= 0) found[side].push(measured)
    }
  }
  console.log(`\n${what}: ${ROUNDS} rounds; ours, theirs, and the median of ours ÷ theirs with its quartiles`)
  for (const name of Object.keys(found.ours[0]?.figures ?? {})) {
    print(name, found, ({ figures }) => figures[name] ?? Number.NaN)
  }
  print('CPU of node, µs each', found, ({ cpu, operations }) => cpu.node / operations)
  print('CPU of PostgreSQL, µs each', found, ({ cpu, operations }) => cpu.postgres / operations)
  print('CPU in all, µs each', found, ({ cpu, operations }) => (cpu.node + cpu.postgres) / operations)
}

async function measure({ pids, prepare, round }: Load): Promise<Measured> {
  await prepare?.()
  const before = await readCpu(pids)
  const measured = await round()
  const after = await readCpu(pids)
  return { ...measured, cpu: { node: after.node - before.node, postgres: after.postgres - before.postgres } }
}

function print(name: string, found: { ours: Measured[]; theirs: Measured[] }, of: (one: Measured) => number): void {
  const [ours, theirs] = [found.ours.map(of), found.theirs.map(of)]
  const ratios = ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  console.log(
    `  ${name.padEnd(30)} ${short(median(ours)).padStart(8)} ${short(median(theirs)).padStart(8)}   ${middle} (${low} to ${high})`,
  )
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}
