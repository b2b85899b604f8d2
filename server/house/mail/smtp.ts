import { connect, type Socket } from 'node:net'
import { SECOND } from '#contract/time.ts'

/** A rendered mail. `messageId` stays the same over retries. */
export type Letter = {
  messageId: string
  from: string
  to: string
  sentAt: Date
  subject: string
  text: string
  html: string
}

/** A connection to the mail server. `send` throws MailRefused or MailDelayed. Disposing waits a moment for sending. */
export type Smtp = AsyncDisposable & { send(letter: Letter): Promise<void> }

/** The mail server refused the mail for good. `reply` is only the status, for example `550 5.1.1`. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly reply: string

  constructor(reply: string) {
    super(`the mail server refused a mail: ${reply}`)
    this.reply = reply
  }
}

export class MailDelayed extends Error {
  override name = 'MailDelayed'
}

/** Matches the text of a MailDelayed error that concerns only one recipient or one mail. */
export const OF_ONE_LETTER = /, after (RCPT TO|DATA)/

/** The maximum number of connections, equal to the number of mail queues (queue-mail.ts). */
const MAX_CONNECTIONS = 2
const CONNECT_TIMEOUT_MS = 10 * SECOND
const SILENCE_TIMEOUT_MS = 30 * SECOND
/** The maximum wait for mails at shutdown, less than the 10 seconds in which the process has to stop. */
const STOP_LIMIT_MS = 2 * SECOND
const DEFAULT_PORT = 587
const DEFAULT_TLS_PORT = 465
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/
const BROKEN = new Set(['ESOCKET', 'ECONNECTION'])
/** Matches a mail address without quotes (RFC 5321) in any alphabet. Other text could be read as two addresses. */
const MAILABLE = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u

/**
 * Connects to a mail server, with `smtps://` by TLS, with `smtp://` by STARTTLS except on loopback. Certificates are
 * checked unless the URL has `?tls.rejectUnauthorized=false`.
 */
export async function openSmtp(smtpUrl: string): Promise<Smtp> {
  // nodemailer is imported only here, because a demo without a mail server does not need it.
  const { createTransport } = await import('nodemailer')
  const sockets = new Set<Socket>()
  const transport = createTransport({
    pool: true,
    // Options in the URL, such as `?requireTLS=false`, take precedence over the options here.
    url: withoutLogging(smtpUrl),
    maxConnections: MAX_CONNECTIONS,
    maxRequeues: 1,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // A socket that we open ourselves can be destroyed, so that a mail server that hangs cannot delay the shutdown.
    getSocket: (place: Place, done: GotSocket) => {
      openSocket(place, sockets).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error),
      )
    },
    requireTLS: mustEncrypt(smtpUrl),
  })
  let open = true
  const underWay = new Set<Promise<unknown>>()
  const hand = async (letter: Letter): Promise<void> => {
    // A closed connection pool of nodemailer would never answer.
    if (!open) throw new MailDelayed('the mail waits: this process is stopping')
    const sent = transport.sendMail(toMessage(letter))
    underWay.add(sent)
    await sent.finally(() => underWay.delete(sent))
  }
  return {
    async send(letter) {
      if (!MAILABLE.test(letter.to)) throw new MailRefused('not an address')
      await hand(letter)
        .catch((error: SmtpFailure) => {
          // The server may close an idle connection just as it is reused, so the mail is sent once more.
          if (!open || error.response !== undefined || !BROKEN.has(error.code ?? '')) throw error
          return hand(letter)
        })
        .catch((error: unknown) => {
          throw judge(error)
        })
    },
    async [Symbol.asyncDispose]() {
      open = false
      await endOf(underWay)
      transport.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function endOf(underWay: ReadonlySet<Promise<unknown>>): Promise<void> {
  const { promise: limit, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, STOP_LIMIT_MS)
  await Promise.race([Promise.allSettled(underWay), limit])
  clearTimeout(timer)
}

function toMessage({ sentAt, to, ...rest }: Letter) {
  return {
    ...rest,
    // The recipient is an object, because a string would be parsed as a list of addresses.
    to: { name: '', address: to },
    date: sentAt,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Removes options that enable nodemailer's log, which would contain addresses and mails. */
function withoutLogging(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of ['logger', 'debug', 'transactionLog']) url.searchParams.delete(name)
  return url.href
}

/** Returns true if the connection must be encrypted, so that an attacker who strips STARTTLS gets nothing. */
function mustEncrypt(smtpUrl: string): boolean {
  const { protocol, hostname } = new URL(smtpUrl)
  return protocol === 'smtp:' && !LOOPBACK.test(hostname)
}

type Place = { host?: string | undefined; port?: number | string | undefined; secure?: boolean | undefined }
type GotSocket = (error: Error | null, found?: { connection: Socket }) => void

function openSocket({ host = 'localhost', port, secure }: Place, sockets: Set<Socket>): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host, port: Number(port) || (secure === true ? DEFAULT_TLS_PORT : DEFAULT_PORT) })
  sockets.add(socket)
  const timer = setTimeout(() => socket.destroy(new Error('connection timed out')), CONNECT_TIMEOUT_MS)
  socket.once('close', () => {
    clearTimeout(timer)
    sockets.delete(socket)
    reject(new Error('the connection was closed'))
  })
  socket.once('error', reject)
  socket.once('connect', () => {
    clearTimeout(timer)
    socket.setKeepAlive(true)
    resolve(socket)
  })
  return promise
}

type SmtpFailure = Error & { code?: string; command?: string; response?: string; responseCode?: number }

/**
 * Converts an error of nodemailer. A refused sender or password only delays the mail, because it says nothing about the
 * recipient. The server's text is dropped, because it contains addresses.
 */
function judge(thrown: unknown): MailRefused | MailDelayed {
  if (thrown instanceof MailDelayed) return thrown
  const error: SmtpFailure = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { command = '', response, responseCode = 0 } = error
  if (response === undefined) return new MailDelayed(`the mail server cannot be used: ${error.message}`)
  const reply = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?/.exec(response)?.[0] ?? 'no status'
  const isPermanent = responseCode >= 500 && Math.trunc(responseCode / 10) !== 53
  if (isPermanent && (command === 'RCPT TO' || command === 'DATA')) return new MailRefused(reply)
  return new MailDelayed(`the mail server does not take a mail now: ${reply}, after ${command}`)
}
