import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export type RunningProcess = { pid: number; residentKb: number; command: string }

/** Lists the descendants of a process. The list is empty if the process has exited. */
export async function listDescendants(pid: number): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  })
  const all = stdout.split('\n').flatMap((line) => {
    const [, own, parent, residentKb, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return own === undefined
      ? []
      : [{ pid: Number(own), parent: Number(parent), residentKb: Number(residentKb), command: command ?? '' }]
  })
  const found = all.filter((one) => one.pid === pid)
  for (const { pid: parent } of found) found.push(...all.filter((one) => one.parent === parent))
  return found
}

/** Returns the memory of a process in kB. On Linux, memory shared by processes is divided among them. */
export async function memoryKb({ pid, residentKb }: RunningProcess): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const proportional = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]
  return proportional === undefined ? residentKb : Number(proportional)
}
