import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type MainProcess = AsyncDisposable & {
  pid: number | undefined
  /** The address of the running server. Rejects with the output if the process ends instead. */
  url: Promise<string>
  /** Resolves with the exit code and the output when the process has ended. */
  ended: Promise<{ code: number | null; out: string; err: string }>
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts the service by `node server/main.ts`, with this environment only, in `root` or in this repository. The shell
 * commands of `shell` run first in the same process. `mounts` gives the process a mount namespace.
 */
export function startMain(
  environment: Record<string, string>,
  before: { shell?: string; mounts?: boolean; root?: string } = {},
): MainProcess {
  const ports = { PORT: '0', REALTIME_PORT: '0' }
  // The service refuses to run as root, so tests of root set RUN_AS.
  const rights = process.getuid?.() === 0 && environment.DEMO !== '1' ? { RUN_AS: '65534:65534' } : {}
  const env = { ...ownEnvironment(), ...ports, ...rights, ...environment }
  const script = `${before.shell ?? ':'}; exec "${process.execPath}" server/main.ts`
  const shell = ['/bin/sh', '-ec', script]
  const [command = '', ...args] = before.mounts === true ? ['unshare', '-m', ...shell] : shell
  const child: ChildProcess = spawn(command, args, { cwd: before.root ?? ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  const serving = Promise.withResolvers<string>()
  child.stdout?.on('data', (part: Buffer) => {
    out += part.toString('utf8')
    const url = /(?:running: {3}| on )(http:\/\/\S+)/.exec(out)?.[1]
    if (url !== undefined) serving.resolve(url)
  })
  child.stderr?.on('data', (part: Buffer) => {
    err += part.toString('utf8')
  })
  // A test that does not await `url` must not get an unhandled rejection.
  serving.promise.catch(() => undefined)
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    serving.reject(new Error(`it ended with ${code}: ${out}${err}`))
    return { code: code ?? null, out, err }
  })
  return {
    pid: child.pid,
    url: serving.promise,
    ended,
    kill: (signal) => {
      child.kill(signal)
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
