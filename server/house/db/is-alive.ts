import { errorCode } from './embedded/embedded-postgres-error.ts'

/** Tells whether the process exists. A zombie process counts as alive, and so does a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
