import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '#server/house/write-whole.ts'

const NOTE = 'data-folder'
const PID_FILE = 'postmaster.pid'

/**
 * A data folder that is copied brings the link to its original's database. Where the folder that the database notes
 * still has that link, this one is the copy; else it was moved.
 */
export async function isLinkOfAnother(home: string, data: string): Promise<boolean> {
  const noted = await readFile(join(home, NOTE), 'utf8').catch(() => null)
  if (noted === null || noted === data) return false
  return (await readlink(join(noted, 'postgres')).catch(() => null)) === home
}

export async function noteDataFolder(home: string, data: string): Promise<void> {
  const read = () => readFile(join(home, NOTE), 'utf8').catch(() => null)
  if ((await read()) === data) return
  await writeWhole(join(home, NOTE), data).catch(async (error: unknown) => {
    // Another start at the same moment has written the same.
    if ((await read()) !== data) throw error
  })
}

/** A database that is copied as it runs brings files by which the original would count as running here. */
export async function dropFilesOfOriginal(place: { dataFolder: string; socketFolder: string }): Promise<void> {
  const { dataFolder, socketFolder } = place
  const file = join(dataFolder, PID_FILE)
  const own = await readFile(file, 'utf8').catch(() => null)
  const [pid, folder] = own?.split('\n') ?? []
  if (pid === undefined || folder === undefined || folder === dataFolder) return
  const original = await readFile(join(folder, PID_FILE), 'utf8').catch(() => null)
  // The database of a moved folder may still run.
  if (original?.split('\n')[0] !== pid) return
  await rm(file)
  for (const name of await readdir(socketFolder)) await rm(join(socketFolder, name))
}
