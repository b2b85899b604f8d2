/** A sold number whose messages are looked for. */
export type OpenNumber = {
  reference: string
  activationId: string
  phone: string
  expiresAt: Date | null
  /** It was bought, or another code was asked for. Milliseconds of performance.now. */
  wantedSinceMs: number
  rounds: number
  roundTaken: boolean
  /** What a look that began earlier shows may be older than the request for another code. */
  roundSinceMs: number
  /** Ids of messages that are stored. */
  readonly delivered: Set<string>
  /** Looks in a row that did not show it. */
  missed: number
}
