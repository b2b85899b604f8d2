/** An error of the embedded PostgreSQL. The message never contains a password, because main.ts prints it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of that path is a file, not a folder',
  // Node reports ENOENT when it makes a folder on a read-only file system.
  ENOENT: 'a folder above it cannot be written',
  EEXIST: 'a file stands where a folder is needed',
}

export function explainFileError(error: unknown, folder: string): unknown {
  const reason = REASONS[errorCode(error) ?? '']
  if (reason === undefined) return error
  return new EmbeddedPostgresError(`The database cannot use the folder ${folder}: ${reason}.`, { cause: error })
}

export function cannotRun(error: unknown): EmbeddedPostgresError {
  const reason = error instanceof Error ? error.message : String(error)
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot run on this system (${reason}): set DATABASE_URL to one of your own.`,
    { cause: error },
  )
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
