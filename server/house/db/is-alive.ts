import { errorCode } from './embedded/embedded-postgres-error.ts'

/** Returns true if the process exists, even as a zombie or as a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
