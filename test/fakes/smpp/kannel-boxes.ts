import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

const REACH_ATTEMPTS = 500
const REACH_PAUSE_MS = 20

export type KannelPrograms = { bearerbox: string; smsbox: string }
export type Ports = { admin: number; smsbox: number; sendsms: number; smsc: number }
export type Boxes = AsyncDisposable & { bearerbox: Program; smsbox: Program; ports: Ports }

/** Starts Kannel's real programs bearerbox and smsbox. `configure` must leave blank lines between groups. */
export async function startBoxes(programs: KannelPrograms, configure: (ports: Ports) => string): Promise<Boxes> {
  const folder = await mkdtemp(join(tmpdir(), 'ringpost-kannel-'))
  const ports = await freePorts()
  const file = join(folder, 'kannel.conf')
  await writeFile(file, configure(ports))
  const bearerbox = start(programs.bearerbox, file)
  const running = [bearerbox]
  const stop = async () => {
    for (const program of running) await program.stop()
    await rm(folder, { recursive: true })
  }
  try {
    await bearerbox.said(/MAIN: Start-up done/)
    // The bearerbox listens in a thread of its own, which may start later and logs nothing.
    await reach(ports.smsbox)
    const smsbox = start(programs.smsbox, file)
    running.unshift(smsbox)
    await smsbox.said(/Connected to bearerbox/)
    await bearerbox.said(/Client connected from/, 2)
    return { bearerbox, smsbox, ports, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function reach(port: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (attempt === REACH_ATTEMPTS) throw error
      await wait(REACH_PAUSE_MS)
    } finally {
      socket.destroy()
    }
  }
}

export type Program = {
  /** Waits for a matching log line, or for the `count`th one. */
  said(words: RegExp, count?: number): Promise<RegExpExecArray>
  stop(): Promise<void>
}

function start(path: string, configurationFile: string): Program {
  const child: ChildProcess = spawn(path, ['-v', '0', configurationFile], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  const events = new EventEmitter().setMaxListeners(0)
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) throw new Error('a pipe was asked for')
    createInterface({ input }).on('line', (line) => {
      lines.push(line)
      events.emit('line')
    })
  }
  return {
    said: async (words, count = 1) => {
      for (;;) {
        const found = lines.map((line) => words.exec(line)).filter((match) => match !== null)
        const wanted = found[count - 1]
        if (wanted !== undefined) return wanted
        const gone = exited.then(() => Promise.reject(new Error(`${path} ended:\n${lines.slice(-20).join('\n')}`)))
        await Promise.race([once(events, 'line'), gone])
      }
    },
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Returns free ports, because Kannel cannot choose its ports itself. */
async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(
    [0, 1, 2, 3].map(async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const [admin = 0, smsbox = 0, sendsms = 0, smsc = 0] = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return { admin, smsbox, sendsms, smsc }
}
