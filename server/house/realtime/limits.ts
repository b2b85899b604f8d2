import { MINUTE, SECOND } from '#contract/time.ts'

export type RealtimeLimits = {
  /** An idle socket costs about 13 KB, with TLS about 55 KB. */
  maxSockets: number
  /** By address, in IPv6 by /64. */
  maxSocketsPerAddress: number
  /** Of the pages of one account, and as many of its programs: else one with many networks takes all there are. */
  maxSocketsPerPerson: number
  /** A limit of its own keeps idle sockets from taking the places of authorised ones. */
  maxUnauthorised: number
  /** The oldest gives way to a newcomer, with 4100. */
  maxUnauthorisedPerAddress: number
  /** Above it the socket is closed (1009). The Pusher protocol's own bound. */
  maxFrameBytes: number
  maxChannelsPerSocket: number
  /** Several sessions let a program watch several accounts on one socket. */
  maxSessionsPerSocket: number
  /** Frames above it are refused with 4301. */
  maxFramesPerSecond: number
  /** Above it the socket is closed (4004), and a stock client stays away. */
  maxBadFramesPerMinute: number
  /** Above it a slow client is cut (4100). */
  maxBufferedBytes: number
  /** A larger event is our fault: it is logged and not sent. */
  maxEventBytes: number
  /** Silence until we ping. Clients are told, and ping by the same rule. */
  activityTimeoutMs: number
  /** An unanswered ping closes the socket (4201). */
  pongTimeoutMs: number
  grantMs: number
  /** A socket that never entered a channel is closed (4009). */
  authorisationMs: number
  /** A socket that left all its channels is closed (4202). */
  emptyMs: number
  closeMs: number
  /** Covers authorisations that were under way when the session ended. */
  endedSessionMs: number
  /** Time-outs are late by at most this. */
  tickMs: number
}

export const DEFAULT_LIMITS: RealtimeLimits = {
  maxSockets: 10_000,
  maxSocketsPerAddress: 200,
  maxSocketsPerPerson: 300,
  maxUnauthorised: 1_000,
  maxUnauthorisedPerAddress: 50,
  maxFrameBytes: 10 * 1024,
  maxChannelsPerSocket: 20,
  maxSessionsPerSocket: 8,
  maxFramesPerSecond: 30,
  maxBadFramesPerMinute: 60,
  maxBufferedBytes: 1024 * 1024,
  maxEventBytes: 64 * 1024,
  activityTimeoutMs: 2 * MINUTE,
  pongTimeoutMs: 30 * SECOND,
  grantMs: 30 * SECOND,
  authorisationMs: MINUTE,
  emptyMs: 10 * MINUTE,
  closeMs: 2 * SECOND,
  endedSessionMs: MINUTE,
  tickMs: 5 * SECOND,
}
