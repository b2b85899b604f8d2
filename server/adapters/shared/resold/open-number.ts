export type OpenNumber = {
  reference: string
  activationId: string
  phone: string
  expiresAt: Date | null
  /** The time of the purchase or of the last request for another code, in milliseconds of performance.now. */
  wantedSinceMs: number
  rounds: number
  roundTaken: boolean
  /** The time before which a poll may have begun that shows the state before the request for another code. */
  roundSinceMs: number
  readonly delivered: Set<string>
  missed: number
}
