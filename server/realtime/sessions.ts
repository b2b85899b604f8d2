import { MINUTE } from '#contract/time.ts'

/** More ended sessions than this are not remembered; the oldest go first. About 10 MB at most. */
const MAX_ENDED_SESSIONS = 100_000

/** Which sockets each session signed for, and which sessions ended a moment ago. */
export class SessionRegister<Socket> {
  readonly #sockets = new Map<string, Set<Socket>>()
  readonly #endedAtMs = new Map<string, number>()
  readonly #memoryMs: number

  constructor(memoryMs = MINUTE) {
    this.#memoryMs = memoryMs
  }

  get count(): number {
    return this.#sockets.size
  }

  bind(sessionId: string, socket: Socket): void {
    const sockets = this.#sockets.get(sessionId)
    if (sockets === undefined) this.#sockets.set(sessionId, new Set([socket]))
    else sockets.add(socket)
  }

  release(sessionId: string, socket: Socket): void {
    const sockets = this.#sockets.get(sessionId)
    if (sockets?.delete(socket) === true && sockets.size === 0) this.#sockets.delete(sessionId)
  }

  /**
   * Marks a session as ended and gives its sockets. An authorisation that read the session from the database just before
   * it ended would arrive just after: that is what the memory is for. Session ids never come back.
   */
  end(sessionId: string, nowMs: number): Socket[] {
    this.#endedAtMs.set(sessionId, nowMs)
    if (this.#endedAtMs.size > MAX_ENDED_SESSIONS) this.#forgetOldest()
    return [...(this.#sockets.get(sessionId) ?? [])]
  }

  hasEnded(sessionId: string): boolean {
    return this.#endedAtMs.has(sessionId)
  }

  /** Forgets sessions that ended so long ago that nothing of them can still be under way. */
  sweep(nowMs: number): void {
    for (const [sessionId, endedAtMs] of this.#endedAtMs) {
      if (nowMs - endedAtMs < this.#memoryMs) return
      this.#endedAtMs.delete(sessionId)
    }
  }

  #forgetOldest(): void {
    const oldest = this.#endedAtMs.keys().next()
    if (oldest.done !== true) this.#endedAtMs.delete(oldest.value)
  }
}
