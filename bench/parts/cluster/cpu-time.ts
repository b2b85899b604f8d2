import { readdir, readFile } from 'node:fs/promises'

/** The processor time used since the start of the processes, in microseconds. */
export type CpuMicros = { node: number; postgres: number }

const MICROS_PER_TICK = 10_000

export type Pids = { node: number; postmaster: number }

/** Returns the processor time that Node and PostgreSQL used. Reads /proc, so it works on Linux only. */
export async function readCpu({ node, postmaster }: Pids): Promise<CpuMicros> {
  const all = (await Promise.all((await pids()).map(readStat))).filter((one) => one !== null)
  const database = all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
  // Linux adds the processor time of an ended process to that of its parent.
  const ended = database.find(({ pid }) => pid === postmaster)?.ended ?? Number.NaN
  return {
    node: (all.find(({ pid }) => pid === node)?.ticks ?? Number.NaN) * MICROS_PER_TICK,
    postgres: database.reduce((sum, { ticks }) => sum + ticks, ended) * MICROS_PER_TICK,
  }
}

/**
 * Returns the id of PostgreSQL's main process, given the id of a connection's process. Throws if the given id is
 * unknown.
 */
export async function postmasterOf(backend: number): Promise<number> {
  const stat = await readStat(backend)
  if (stat === null) throw new Error(`there is no process ${backend}`)
  return stat.parent
}

async function pids(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
}

type Stat = { pid: number; parent: number; ticks: number; ended: number }

async function readStat(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The process name in parentheses may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (place: number) => Number(fields[place - 3])
  return { pid, parent: field(4), ticks: field(14) + field(15), ended: field(16) + field(17) }
}
