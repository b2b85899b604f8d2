export type OpenNumber = {
  reference: string
  activationId: string
  phone: string
  expiresAt: Date | null
  /** The time of the purchase or of the last request for another code, in milliseconds of performance.now. */
  wantedSinceMs: number
  rounds: number
  roundTaken: boolean
  /** A poll that began before this time may show the state before the request for another code. */
  roundSinceMs: number
  readonly delivered: Set<string>
  missed: number
}
