import { errorCode } from './embedded/embedded-postgres-error.ts'

/** Whether a process has this number, of whatever user. One that has ended but was not waited for counts too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
