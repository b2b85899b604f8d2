import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '#server/house/write-whole.ts'

const NOTE = 'data-folder'
const PID_FILE = 'postmaster.pid'

/**
 * A copied data folder contains a link to the database of its original. The database records the path of its data
 * folder. If that recorded folder still has the link, the new folder is a copy; otherwise the folder was moved.
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
    // A concurrent start has written the same path.
    if ((await read()) !== data) throw error
  })
}

/** Removes PID file and sockets that a copy of a running database brings, because they make the copy seem to run. */
export async function dropFilesOfOriginal(place: { dataFolder: string; socketFolder: string }): Promise<void> {
  const { dataFolder, socketFolder } = place
  const file = join(dataFolder, PID_FILE)
  const own = await readFile(file, 'utf8').catch(() => null)
  const [pid, folder] = own?.split('\n') ?? []
  if (pid === undefined || folder === undefined || folder === dataFolder) return
  const original = await readFile(join(folder, PID_FILE), 'utf8').catch(() => null)
  // A moved folder may belong to a database that still runs, so its files stay.
  if (original?.split('\n')[0] !== pid) return
  await rm(file)
  for (const name of await readdir(socketFolder)) await rm(join(socketFolder, name))
}
