import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const HASHED_FOLDER = '/assets/'
const HASHED_CACHE_CONTROL = 'public, max-age=31536000, immutable'
const OTHER_CACHE_CONTROL = 'public, max-age=86400'
const COMPRESSED_ENDINGS = ['.br', '.gz']

/** Lists the built files once at the start, so that no request can reach the file system with a path of its own. */
export async function listPageFiles(clientDir: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(clientDir, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(clientDir, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
    .filter((path) => !path.startsWith('/.') && !COMPRESSED_ENDINGS.some((ending) => path.endsWith(ending)))
  return new Set(paths)
}

export function cacheControlOf(path: string): string {
  return path.startsWith(HASHED_FOLDER) ? HASHED_CACHE_CONTROL : OTHER_CACHE_CONTROL
}
