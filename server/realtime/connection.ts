import { MINUTE, SECOND } from '#contract/time.ts'

/** All that the protocol needs of a transport. */
export type Wire = {
  /** False when the client reads so slowly that the frame was not taken. */
  send(frame: string): boolean
  close(code: number, reason: string): void
}

/** Who signed for a socket. */
export type Identity = { sessionId: string; userId: number }

/** A signature that we gave and that was not used yet. */
export type Grant = Identity & { expiresAtMs: number }

/** What is known of one socket. Kept small: most of them idle. */
export class Connection {
  readonly id: string
  readonly wire: Wire
  /** Of the client's address: what sockets are counted by. */
  readonly network: string
  ended = false
  /** Whether it was ever let into a channel or signed in. */
  authorised = false
  /** Since when it holds no channel and is not signed in; undefined while it does. */
  emptySinceMs: number | undefined
  lastSeenMs: number
  pingedAtMs: number | undefined
  signedInAs: number | undefined
  /** Replaced, never pushed to: an array that grew keeps room for seventeen, and there are thousands of these. */
  channels: readonly string[] = []
  /** Every session that ever signed for this socket, with its user. The end of any of them closes it. */
  identities: readonly Identity[] = []
  /** By the string that was signed. Undefined while there is none, which is nearly always. */
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

  /** Anything from the client is a sign of life. */
  heard(nowMs: number): void {
    this.lastSeenMs = nowMs
    this.pingedAtMs = undefined
  }

  /** Counts a frame and says how many came in this second. */
  countFrame(nowMs: number): number {
    if (nowMs - this.#secondStartMs >= SECOND) {
      this.#secondStartMs = nowMs
      this.#framesInSecond = 0
    }
    this.#framesInSecond += 1
    return this.#framesInSecond
  }

  /** Counts a refused frame and says how many there were in this minute. */
  countBadFrame(nowMs: number): number {
    if (nowMs - this.#minuteStartMs >= MINUTE) {
      this.#minuteStartMs = nowMs
      this.#badFramesInMinute = 0
    }
    this.#badFramesInMinute += 1
    return this.#badFramesInMinute
  }

  /** Notes that a channel was entered or left, or a user signed in. */
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

  /** Takes the grant for a signed string: each can be used once. Undefined when there is none or its time is over. */
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
