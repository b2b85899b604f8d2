import { type KannelPrograms, type Ports, type Program, startBoxes } from './kannel-boxes.ts'

/** Kannel as a gateway that delivers messages to the service's port. */
export type Kannel = AsyncDisposable & {
  /** Sends a text by Kannel's HTTP interface, one at a time. Resolves with the number of parts that Kannel made. */
  sendSms(message: { from: string; to: string; text: string; coding: 'gsm' | 'unicode' }): Promise<number>
}

export type KannelOptions = {
  programs: KannelPrograms
  port: number
  systemId: string
  password: string
  /** The delay before Kannel retries after a temporary failure, in seconds. */
  retrySeconds: number
}

export async function startKannel(options: KannelOptions): Promise<Kannel> {
  const boxes = await startBoxes(options.programs, (ports) => configuration(options, ports))
  const { smsbox, ports } = boxes
  return { sendSms: createSender(smsbox, ports.sendsms), [Symbol.asyncDispose]: () => boxes[Symbol.asyncDispose]() }
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
