import { MINUTE, SECOND } from '#contract/time.ts'

export type Wire = {
  /** Sends a frame. Returns false if the buffer of a slow client is full. */
  send(frame: string): boolean
  close(code: number, reason: string): void
}

/** An account that opened a socket. `byKey` marks a program that was authorised by an API key. */
export type Identity = { sessionId: string; userId: number; byKey?: boolean }

export type Grant = Identity & { expiresAtMs: number }

export class Connection {
  readonly id: string
  readonly wire: Wire
  readonly network: string
  ended = false
  authorised = false
  /** The time since which the connection has had no channel; undefined while it has one or is signed in. */
  emptySinceMs: number | undefined
  lastSeenMs: number
  pingedAtMs: number | undefined
  signedInAs: number | undefined
  /** The channels of the connection. The array is never pushed to, because a grown array reserves 17 slots. */
  channels: readonly string[] = []
  /** The channels that an API key opened. They get fewer events than a session's, and no person is behind them. */
  keyChannels: readonly string[] = []
  /** The accounts that the socket may listen to. The end of any of their sessions closes the socket. */
  identities: readonly Identity[] = []
  #grants: Map<string, Grant> | undefined
  #secondStartMs: number
  #framesInSecond = 0
  #minuteStartMs: number
  #badFramesInMinute = 0

  constructor(id: string, { wire, network, nowMs }: { wire: Wire; network: string; nowMs: number }) {
    this.id = id
    this.wire = wire
    this.network = network
    this.lastSeenMs = nowMs
    this.emptySinceMs = nowMs
    this.#secondStartMs = nowMs
    this.#minuteStartMs = nowMs
  }

  heard(nowMs: number): void {
    this.lastSeenMs = nowMs
    this.pingedAtMs = undefined
  }

  countFrame(nowMs: number): number {
    if (nowMs - this.#secondStartMs >= SECOND) {
      this.#secondStartMs = nowMs
      this.#framesInSecond = 0
    }
    this.#framesInSecond += 1
    return this.#framesInSecond
  }

  countBadFrame(nowMs: number): number {
    if (nowMs - this.#minuteStartMs >= MINUTE) {
      this.#minuteStartMs = nowMs
      this.#badFramesInMinute = 0
    }
    this.#badFramesInMinute += 1
    return this.#badFramesInMinute
  }

  settle(nowMs: number): void {
    if (this.channels.length > 0 || this.signedInAs !== undefined) {
      this.authorised = true
      this.emptySinceMs = undefined
    } else {
      this.emptySinceMs ??= nowMs
    }
  }

  get grantCount(): number {
    return this.#grants?.size ?? 0
  }

  dropExpiredGrants(nowMs: number): void {
    for (const [signed, grant] of this.#grants ?? []) {
      if (grant.expiresAtMs <= nowMs) this.#dropGrant(signed)
    }
  }

  addGrant(signed: string, grant: Grant): void {
    this.#grants ??= new Map()
    this.#grants.set(signed, grant)
  }

  /** Removes and returns a one-use permission to enter a channel; undefined if it is missing or expired. */
  takeGrant(signed: string, nowMs: number): Grant | undefined {
    const grant = this.#grants?.get(signed)
    this.#dropGrant(signed)
    return grant !== undefined && grant.expiresAtMs > nowMs ? grant : undefined
  }

  dropGrants(): void {
    this.#grants = undefined
  }

  #dropGrant(signed: string): void {
    this.#grants?.delete(signed)
    if (this.#grants?.size === 0) this.#grants = undefined
  }
}
