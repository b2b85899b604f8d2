import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { CERTIFICATE, KEY } from './loopback-certificate.ts'

export type ReceivedMail = {
  mail: ParsedMail
  raw: string
  from: string
  to: string[]
  secure: boolean
}

/** A real mail server on loopback that accepts mail only from clients with the password. */
export type MailServer = AsyncDisposable & {
  port: number
  /** Returns a value for SMTP_URL with the right password. `more` is appended to its query. */
  url(more?: string): string
  received: ReceivedMail[]
  /** All recipients that clients named, accepted or not. */
  asked: string[]
  answers: Map<string, string>
  /** The answer to DATA in place of 250, after the mail was received. */
  afterData: string | null
  passwords: string[]
  /** Closes every connection, as a mail server does with idle connections. */
  hangUp(): Promise<void>
}

const USER = 'ringpost'
const PASSWORD = 'p@ss word/1'

/** Starts a mail server, which by default offers STARTTLS with a self-signed certificate. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const server = new SMTPServer({
    key: KEY,
    cert: CERTIFICATE,
    disableReverseLookup: true,
    onAuth: ({ username, password = '' }, _session, done) => {
      fake.passwords.push(password)
      if (username === USER && password === PASSWORD) done(null, { user: USER })
      else done(failure('535 5.7.8 no such user or password'))
    },
    onRcptTo: ({ address }, _session, done) => {
      fake.asked.push(address)
      const answer = fake.answers.get(address)
      done(answer === undefined ? null : failure(answer))
    },
    onData: (stream, session, done) => {
      const take = async () => {
        const raw = await buffer(stream)
        const { mailFrom, rcptTo } = session.envelope
        fake.received.push({
          mail: await simpleParser(raw),
          raw: raw.toString('latin1'),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
        })
      }
      take().then(() => done(fake.afterData === null ? null : failure(fake.afterData)), done)
    },
    ...options,
  })
  // A client that distrusts the certificate breaks the connection off, and reports the error itself.
  server.on('error', () => undefined)
  const sockets = new Set<Socket>()
  const listening = server.listen(port, '127.0.0.1')
  listening.on('connection', (socket) => sockets.add(socket))
  await once(listening, 'listening')
  const hangUp = async () => {
    const open = [...sockets].filter((socket) => !socket.closed)
    const closed = open.map((socket) => once(socket, 'close'))
    for (const socket of open) socket.destroy()
    await Promise.all(closed)
  }
  const taken = (listening.address() as AddressInfo).port
  const fake: MailServer = {
    port: taken,
    url: (more = 'tls.rejectUnauthorized=false') =>
      `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${taken}?${more}`,
    received: [],
    asked: [],
    answers: new Map(),
    afterData: null,
    passwords: [],
    hangUp,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await hangUp()
      await closed
    },
  }
  return fake
}

/** Builds an error of the library smtp-server from an answer such as `550 5.1.1 words`. */
function failure(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) })
}
