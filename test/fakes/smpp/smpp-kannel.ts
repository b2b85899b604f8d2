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

/** Kannel as a gateway that hands us its messages: a real bearerbox with its smsbox, bound to our port. */
export type Kannel = AsyncDisposable & {
  /**
   * Gives a text to the gateway's own HTTP interface, one at a time. Kannel cuts it itself: resolves with the number of
   * parts.
   */
  sendSms(message: { from: string; to: string; text: string; coding: 'gsm' | 'unicode' }): Promise<number>
}

export type KannelOptions = {
  programs: { bearerbox: string; smsbox: string }
  port: number
  systemId: string
  password: string
  /** After a temporary failure Kannel waits this long before it tries again. */
  retrySeconds: number
}

export async function startKannel(options: KannelOptions): Promise<Kannel> {
  const folder = await mkdtemp(join(tmpdir(), 'ringpost-kannel-'))
  const ports = await freePorts()
  const file = join(folder, 'kannel.conf')
  await writeFile(file, configuration(options, ports))
  const bearerbox = start(options.programs.bearerbox, file)
  const running = [bearerbox]
  const stop = async () => {
    for (const program of running) await program.stop()
    await rm(folder, { recursive: true })
  }
  try {
    await bearerbox.said(/MAIN: Start-up done/)
    // It listens for boxes in a thread of its own, which may come later, and says nothing when it does.
    await reach(ports.smsbox)
    const smsbox = start(options.programs.smsbox, file)
    running.unshift(smsbox)
    await smsbox.said(/Connected to bearerbox/)
    await bearerbox.said(/Client connected from/, 2)
    return { sendSms: createSender(smsbox, ports.sendsms), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Connects once, as soon as somebody listens. */
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

function createSender(smsbox: Program, port: number): Kannel['sendSms'] {
  let taken = 0
  return async ({ from, to, text, coding }) => {
    const query = new URLSearchParams({ username: 'tester', password: 'secret', from, to, text, charset: 'UTF-8' })
    query.set('coding', coding === 'unicode' ? '2' : '0')
    const reply = await fetch(`http://127.0.0.1:${port}/cgi-bin/sendsms?${query}`)
    const words = await reply.text()
    if (reply.status !== 202) throw new Error(`Kannel did not take the message: ${reply.status} ${words}`)
    taken += 1
    const [, parts] = await smsbox.said(/sending (\d+) messages/, taken)
    return Number(parts)
  }
}

type Ports = { admin: number; smsbox: number; sendsms: number }

/** Kannel's groups must be separated by blank lines. */
function configuration({ port, systemId, password, retrySeconds }: KannelOptions, ports: Ports): string {
  const groups = [
    [
      'group = core',
      `admin-port = ${ports.admin}`,
      'admin-interface = 127.0.0.1',
      'admin-password = secret',
      `smsbox-port = ${ports.smsbox}`,
      'smsbox-interface = 127.0.0.1',
      'box-allow-ip = 127.0.0.1',
      'log-level = 0',
      `sms-resend-freq = ${retrySeconds}`,
    ],
    [
      'group = smsc',
      'smsc = smpp',
      'smsc-id = ringpost',
      'interface-version = 34',
      'host = 127.0.0.1',
      `port = ${port}`,
      `smsc-username = ${systemId}`,
      `smsc-password = ${password}`,
      'system-type = ""',
      'enquire-link-interval = 2',
      'reconnect-delay = 1',
    ],
    [
      'group = smsbox',
      'bearerbox-host = 127.0.0.1',
      `bearerbox-port = ${ports.smsbox}`,
      `sendsms-port = ${ports.sendsms}`,
      'sendsms-interface = 127.0.0.1',
      'log-level = 0',
    ],
    ['group = sendsms-user', 'username = tester', 'password = secret', 'concatenation = true', 'max-messages = 10'],
    ['group = sms-service', 'keyword = default', 'text = "none"', 'max-messages = 0'],
  ]
  return `${groups.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

type Program = {
  /** Waits for the line of these words, or for the `count`th such line. */
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

/** Kannel cannot choose its ports itself. */
async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(
    [0, 1, 2].map(async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  // A listening TCP server has an address with a port.
  const [admin = 0, smsbox = 0, sendsms = 0] = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return { admin, smsbox, sendsms }
}
