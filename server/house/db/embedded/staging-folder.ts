import { randomBytes } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '#server/house/db/is-alive.ts'
import { errorCode } from './embedded-postgres-error.ts'
import { makeFolder, type ProcessOwner } from './postgres-place.ts'

/** Creates a folder atomically, even if starts race: `fill` works in a staging folder, which one rename publishes. */
export async function makeWhole(
  target: string,
  owner: ProcessOwner | null,
  fill: (staging: string) => Promise<void>,
): Promise<void> {
  await removeAbandoned(target)
  const staging = `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await makeFolder(staging, owner)
    await fill(staging)
    await rename(staging, target)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
  }
}

async function removeAbandoned(target: string): Promise<void> {
  const prefix = `${basename(target)}.new-`
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (!isAlive(pid)) await rm(join(dirname(target), name), { recursive: true, force: true })
  }
}
