import { MINUTE } from '#contract/time.ts'

/** The maximum number of remembered ended sessions (about 10 MB). The oldest are dropped first. */
const MAX_ENDED_SESSIONS = 100_000

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

  get ids(): string[] {
    return [...this.#sockets.keys()]
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
   * Ends a session and returns its sockets. Remembers its id, because an authorisation that read it may arrive late.
   */
  end(sessionId: string, nowMs: number): Socket[] {
    this.#endedAtMs.set(sessionId, nowMs)
    if (this.#endedAtMs.size > MAX_ENDED_SESSIONS) this.#forgetOldest()
    return [...(this.#sockets.get(sessionId) ?? [])]
  }

  hasEnded(sessionId: string): boolean {
    return this.#endedAtMs.has(sessionId)
  }

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
