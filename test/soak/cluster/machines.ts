import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BRIDGE = 'soak'
/** The machine that the clients and HAProxy run on. */
export const OWN_ADDRESS = '10.77.0.1'

export type Program = {
  child: ChildProcess
  ended: Promise<number | null>
  isRunning(): boolean
  kill(): Promise<void>
}

/** A network namespace on one bridge: what a machine of its own would be to the others. */
export type Machine = {
  name: string
  address: string
  /** Starts a program on the machine; `log` is the file of its output. */
  start(command: readonly string[], options: { log: string; env?: Record<string, string>; asNobody?: true }): Program
  /** Takes the machine off the network. Nobody is told: packets are lost. */
  cut(): Promise<void>
  join(): Promise<void>
  /** Loses this machine's packets to the others, so that their calls get no answer. */
  lose(others: readonly Machine[]): Promise<void>
  find(others: readonly Machine[]): Promise<void>
}

/** Makes the bridge. The program needs a network namespace of its own (`unshare`), which takes all this along. */
export async function openNetwork(): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up'])
  await run('ip', ['link', 'add', BRIDGE, 'type', 'bridge'])
  await run('ip', ['addr', 'add', `${OWN_ADDRESS}/24`, 'dev', BRIDGE])
  await run('ip', ['link', 'set', BRIDGE, 'up'])
}

export async function openMachine(name: string, place: number): Promise<Machine> {
  const address = `10.77.0.${place}`
  const ip = (...words: string[]) => run('ip', words)
  await ip('netns', 'add', name)
  await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  await ip('link', 'set', name, 'master', BRIDGE, 'up')
  await ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  for (const link of ['lo', 'eth0']) await ip('-n', name, 'link', 'set', link, 'up')
  const route = async (verb: string, others: readonly Machine[]) => {
    for (const other of others) await ip('-n', name, 'route', verb, 'blackhole', `${other.address}/32`)
  }
  return {
    name,
    address,
    start(command, { log, env = {}, asNobody }) {
      const output = openSync(log, 'a')
      const user = asNobody === true ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
      // A host name of its own, because a node asks for the processes of nodes on its own host.
      const named = `hostname ${name}; exec "$@"`
      const args = [`--net=/run/netns/${name}`, 'unshare', '--uts', 'sh', '-ec', named, name, ...user, ...command]
      const child = spawn('nsenter', args, {
        cwd: '/',
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', output, output],
      })
      return programOf(child)
    },
    cut: async () => {
      await ip('link', 'set', name, 'nomaster')
    },
    join: async () => {
      await ip('link', 'set', name, 'master', BRIDGE)
    },
    lose: (others) => route('add', others),
    find: (others) => route('del', others),
  }
}

function programOf(child: ChildProcess): Program {
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    child,
    ended,
    isRunning,
    async kill() {
      child.kill('SIGKILL')
      if (isRunning()) await ended
    },
  }
}
