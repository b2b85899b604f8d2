import type { Socket } from 'node:net'
import type { Log } from '#server/house/log.ts'
import { FrameReader } from './wire/frame-reader.ts'
import { decodePdu, encodePdu, type Pdu, type PduFields, responseCommand, STATUS } from './wire/pdu.ts'

/** `hangUp` closes the connection after the answer is written. */
export type Answer = { status: number; fields?: PduFields; hangUp?: boolean }

export type SessionLimits = {
  maxPduBytes: number
  maxInFlight: number
  responseMs: number
  enquireLinkMs: number
}

export type SessionOptions = {
  socket: Socket
  log: Log
  limits: SessionLimits
  /** Answers a peer's request, but not enquire_link or unbind, which the session answers. Must not reject. */
  onRequest(request: Pdu): Promise<Answer>
}

/** The number of unread bytes at which a peer that does not read our answers is disconnected. */
const MAX_UNREAD_BYTES = 1_048_576
const MAX_SEQUENCE = 0x7fffffff
/** The time for which a stop of the service waits for a peer that does not answer. */
const END_LIMIT_MS = 2_000

type Waiting = { resolve(response: Pdu): void; reject(error: Error): void; timer: NodeJS.Timeout }

export class SmppSession {
  readonly closed: Promise<string>
  readonly #options: SessionOptions
  readonly #frames: FrameReader
  readonly #waiting = new Map<number, Waiting>()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #watchdog: NodeJS.Timeout
  #sequence = 0
  #ending = false
  #reason = ''

  constructor(options: SessionOptions) {
    this.#options = options
    this.#frames = new FrameReader(options.limits.maxPduBytes)
    this.#watchdog = setTimeout(() => this.#enquireLink(), options.limits.enquireLinkMs)
    const { socket } = options
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error) => {
      this.#reason ||= error.message
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => resolve(this.#release()))
    })
  }

  /** Sends a request. The response may have a failing status. Rejects on time-out and loss of the connection. */
  request(command: string, fields?: PduFields): Promise<Pdu> {
    this.#sequence = this.#sequence === MAX_SEQUENCE ? 1 : this.#sequence + 1
    const sequence = this.#sequence
    return new Promise((resolve, reject) => {
      if (!this.#options.socket.writable) return reject(new Error('the SMPP connection is closed'))
      const timer = setTimeout(() => {
        this.#waiting.delete(sequence)
        reject(new Error(`no answer to ${command}`))
      }, this.#options.limits.responseMs)
      this.#waiting.set(sequence, { resolve, reject, timer })
      this.#write(encodePdu(command, { sequence }, fields))
    })
  }

  async end(reason: string): Promise<void> {
    this.#reason ||= reason
    this.#ending = true
    const limitMs = Math.min(this.#options.limits.responseMs, END_LIMIT_MS)
    const deadline = setTimeout(() => this.destroy(reason), limitMs)
    await Promise.race([Promise.all(this.#inFlight), this.closed])
    // The connection is closed next, with or without an answer.
    await this.request('unbind').catch(() => undefined)
    this.#hangUp()
    await this.closed
    clearTimeout(deadline)
  }

  /** True if the session ended as agreed by `unbind`, so that no answer was lost. */
  get isOrderly(): boolean {
    return this.#ending && this.#inFlight.size === 0
  }

  destroy(reason: string): void {
    this.#reason ||= reason
    this.#options.socket.destroy()
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) {
        if (this.#options.socket.destroyed) return
        this.#dispatch(decodePdu(frame))
      }
    } catch (error) {
      // Only an impossible length causes this error. The next PDU's start is then unknown, so the connection is
      // unusable.
      this.#reason ||= `no SMPP: ${error instanceof Error ? error.message : String(error)}`
      this.#write(encodePdu('generic_nack', { sequence: 0, status: STATUS.invalidCommandLength }))
      this.#hangUp()
    }
  }

  #dispatch(pdu: Pdu): void {
    this.#watchdog.refresh()
    if (pdu.isResponse) this.#settle(pdu)
    else if (pdu.command === 'enquire_link') this.#answer(pdu, { status: STATUS.ok })
    else if (pdu.command === 'unknown') this.#refuseUnknown(pdu)
    else if (pdu.command === 'unbind') this.#unbound(pdu)
    else if (this.#ending) this.#answer(pdu, { status: STATUS.systemError })
    else if (this.#inFlight.size >= this.#options.limits.maxInFlight) this.#answer(pdu, { status: STATUS.queueFull })
    else this.#work(pdu)
  }

  #work(request: Pdu): void {
    const work = this.#options.onRequest(request).then(
      (answer) => this.#answer(request, answer),
      (error: unknown) => {
        this.#options.log.error({ error, command: request.command }, 'an SMPP request failed')
        this.#answer(request, { status: STATUS.systemError })
      },
    )
    this.#track(work)
  }

  #track(work: Promise<void>): void {
    const ended: Promise<void> = work
      .catch((error: unknown) => {
        this.#options.log.error({ error }, 'an SMPP answer could not be written')
        this.destroy('an answer could not be written')
      })
      .finally(() => this.#inFlight.delete(ended))
    this.#inFlight.add(ended)
  }

  #settle(response: Pdu): void {
    const waiting = this.#waiting.get(response.sequence)
    if (waiting === undefined) return
    this.#waiting.delete(response.sequence)
    clearTimeout(waiting.timer)
    waiting.resolve(response)
  }

  /** Ends the session when the peer unbinds. Requests in flight are answered first, or the peer would repeat them. */
  #unbound(request: Pdu): void {
    this.#reason ||= 'the peer unbound'
    this.#ending = true
    const before = Promise.all(this.#inFlight)
    this.#track(before.then(() => this.#answer(request, { status: STATUS.ok, hangUp: true })))
  }

  #refuseUnknown(request: Pdu): void {
    this.#write(encodePdu('generic_nack', { sequence: request.sequence, status: STATUS.invalidCommand }))
  }

  #answer(request: Pdu, answer: Answer): void {
    const command = responseCommand(request.command)
    if (command !== null) {
      this.#write(encodePdu(command, { sequence: request.sequence, status: answer.status }, answer.fields))
    }
    if (answer.hangUp) this.#hangUp()
  }

  #write(octets: Buffer): void {
    const { socket } = this.#options
    if (!socket.writable) return
    socket.write(octets)
    if (socket.writableLength > MAX_UNREAD_BYTES) this.destroy('the peer does not read its answers')
  }

  /** Closes the connection. The deadline disconnects a peer that does not read the last bytes. */
  #hangUp(): void {
    const { socket, limits } = this.#options
    socket.destroySoon()
    const deadline = setTimeout(() => socket.destroy(), limits.responseMs)
    socket.once('close', () => clearTimeout(deadline))
  }

  #enquireLink(): void {
    this.request('enquire_link').then(
      () => undefined,
      (error: Error) => this.destroy(error.message),
    )
  }

  #release(): string {
    clearTimeout(this.#watchdog)
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.timer)
      waiting.reject(new Error('the SMPP connection was lost'))
    }
    this.#waiting.clear()
    return this.#reason || 'the peer closed the connection'
  }
}
