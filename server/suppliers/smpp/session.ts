import type { Socket } from 'node:net'
import type { Log } from '#server/log.ts'
import { FrameReader } from './wire/frame-reader.ts'
import { decodePdu, encodePdu, type Pdu, type PduFields, responseCommand, STATUS } from './wire/pdu.ts'

/** What we say to a request of the peer. `hangUp`: close the connection once the answer is written. */
export type Answer = { status: number; fields?: PduFields; hangUp?: boolean }

export type SessionLimits = {
  maxPduBytes: number
  /** Requests of the peer being worked on at once; more are answered "queue full". */
  maxInFlight: number
  /** How long the peer may take to answer a request of ours. */
  responseMs: number
  /** After so long without a word of the peer we ask whether it is still there. */
  enquireLinkMs: number
}

export type SessionOptions = {
  socket: Socket
  log: Log
  limits: SessionLimits
  /** Works on one request (never enquire_link or unbind: those the session answers itself). Must not reject. */
  onRequest(request: Pdu): Promise<Answer>
}

/** A peer that sends but does not read its answers is cut off here. */
const MAX_UNREAD_BYTES = 1_048_576
const MAX_SEQUENCE = 0x7fffffff
/** A stop of the whole service waits for this: a peer that is silent until then is left without a goodbye. */
const END_LIMIT_MS = 2_000

type Waiting = { resolve(response: Pdu): void; reject(error: Error): void; timer: NodeJS.Timeout }

/** One SMPP connection, from either side: frames, sequence numbers, time-outs, the watchdog, and an orderly end. */
export class SmppSession {
  /** Resolves with the reason when the connection is gone. */
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

  /** Sends a request and waits for its response, which may carry a failing status. Rejects on time-out and loss. */
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

  /** Finishes the work in hand, unbinds, and closes; a peer that does not answer is not waited for beyond the limit. */
  async end(reason: string): Promise<void> {
    this.#reason ||= reason
    this.#ending = true
    const limitMs = Math.min(this.#options.limits.responseMs, END_LIMIT_MS)
    const deadline = setTimeout(() => this.destroy(reason), limitMs)
    await Promise.race([Promise.all(this.#inFlight), this.closed])
    // The outcome does not matter: with or without an answer the connection is closed next.
    await this.request('unbind').catch(() => undefined)
    this.#hangUp()
    await this.closed
    clearTimeout(deadline)
  }

  /** Whether one side said good-bye and every request had its answer: then none of them got lost. */
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
      // Where the next PDU begins is unknown now: say so, and leave.
      this.#reason ||= `unreadable PDU: ${error instanceof Error ? error.message : String(error)}`
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

  /** Keeps what is under way until it has ended: `end` waits for it. */
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

  /** The peer leaves. What it sent before is finished and answered first, or it would offer that again elsewhere. */
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

  /** Closes after what is written has left; a peer that does not take it is cut off by the deadline. */
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
