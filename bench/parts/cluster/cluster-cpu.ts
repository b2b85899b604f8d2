import { readCpu } from './cpu-time.ts'

/** The processor time that all nodes, PostgreSQL and Redis used since their start, in microseconds. */
export type ClusterCpu = { nodes: number; postgres: number; redis: number }

export type ClusterPids = { nodes: readonly number[]; postmaster: number; redis: number }

/** Reads /proc, so it works on Linux only. */
export async function readClusterCpu({ nodes, postmaster, redis }: ClusterPids): Promise<ClusterCpu> {
  const all = await Promise.all([...nodes, redis].map((node) => readCpu({ node, postmaster })))
  const own = all.map(({ node }) => node)
  return {
    nodes: own.slice(0, -1).reduce((sum, micros) => sum + micros, 0),
    postgres: all[0]?.postgres ?? Number.NaN,
    redis: own.at(-1) ?? Number.NaN,
  }
}
