import { readFile } from 'node:fs/promises'
import { StartRefused } from '#server/house/start-refused.ts'

export type Rights = { uid: number; gid: number; groups: number[] }

const NUMBERS_PATTERN = /^(\d{1,10}):(\d{1,10})$/

/**
 * Returns the user to switch to, or null if the process keeps its user. Throws StartRefused if the service would run as
 * root, because a break-in would own the machine.
 */
export async function planRights(
  { runAs, demo }: { runAs: string | null; demo: boolean },
  uid: number | undefined = process.getuid?.(),
): Promise<Rights | null> {
  if (demo || uid === undefined) return null
  if (runAs === null) {
    if (uid !== 0) return null
    throw new StartRefused(
      'it would run as root: set RUN_AS to a user of its own (a name or uid:gid), or start it as that user',
    )
  }
  const rights = await findUser(runAs)
  if (rights === null) throw new StartRefused(`RUN_AS names no user of this machine: ${runAs}`)
  if (rights.uid === 0 || rights.gid === 0) throw new StartRefused('RUN_AS must be another user than root')
  if (rights.uid === uid) return null
  if (uid !== 0)
    throw new StartRefused('RUN_AS is another user than the one it is started as: only root can change that')
  return rights
}

/** Switches the process to an ordinary user for good. Groups are set first, because only root may set them. */
export function dropRights({ uid, gid, groups }: Rights): void {
  process.setgroups?.(groups)
  process.setgid?.(gid)
  process.setuid?.(uid)
  if (canBeRoot()) throw new Error('root was not given up')
}

function canBeRoot(): boolean {
  try {
    process.setuid?.(0)
    return true
  } catch {
    // If `setuid(0)` is refused, the process cannot become root again.
    return false
  }
}

async function findUser(runAs: string): Promise<Rights | null> {
  const [, uid, gid] = NUMBERS_PATTERN.exec(runAs) ?? []
  if (uid !== undefined) return { uid: Number(uid), gid: Number(gid), groups: [Number(gid)] }
  const [, , ofUser, ofGroup] = (await readTable('/etc/passwd')).find(([name]) => name === runAs) ?? []
  if (ofUser === undefined || ofGroup === undefined) return null
  const further = (await readTable('/etc/group')).filter(([, , , members = '']) => members.split(',').includes(runAs))
  const groups = new Set([ofGroup, ...further.map(([, , number]) => number)].map(Number))
  return { uid: Number(ofUser), gid: Number(ofGroup), groups: [...groups] }
}

async function readTable(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.split(':'))
}
