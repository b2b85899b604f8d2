import { MINUTE, SECOND } from '#contract/time.ts'

export type RealtimeLimits = {
  /** The maximum number of sockets. An idle socket costs about 13 KB of memory, or about 55 KB with TLS. */
  maxSockets: number
  maxSocketsPerAddress: number
  /** The maximum number of sockets of an account's pages, and of its programs, so that no account takes all. */
  maxSocketsPerPerson: number
  /** The maximum number of unauthorised sockets, so that idle ones cannot take the places of authorised sockets. */
  maxUnauthorised: number
  /** The maximum number of unauthorised sockets of one address. The oldest is then closed (4100) for a new one. */
  maxUnauthorisedPerAddress: number
  /** The maximum size of a frame, as in the Pusher protocol. A larger frame closes the socket (1009). */
  maxFrameBytes: number
  maxChannelsPerSocket: number
  /** The maximum number of sessions of one socket. A program may watch several accounts. */
  maxSessionsPerSocket: number
  /** Frames above this number per second are refused (4301). */
  maxFramesPerSecond: number
  /** Bad frames above this number per minute close the socket (4004), so that a stock client does not reconnect. */
  maxBadFramesPerMinute: number
  /** The maximum number of bytes buffered for a slow client, which is then disconnected (4100). */
  maxBufferedBytes: number
  /** The maximum size of an event. A larger event is our fault: it is logged and not sent. */
  maxEventBytes: number
  /** The time of silence after which we send a ping. Clients are told this time and do the same. */
  activityTimeoutMs: number
  /** The time to answer a ping. An unanswered ping closes the socket (4201). */
  pongTimeoutMs: number
  grantMs: number
  /** The time to enter a first channel. A socket without one is then closed (4009). */
  authorisationMs: number
  /** The time that a socket may stay open after it left all its channels. It is then closed (4202). */
  emptyMs: number
  closeMs: number
  /** The time for which ended sessions are remembered, to refuse authorisations that were under way. */
  endedSessionMs: number
  /** The interval at which time-outs are checked, so they are late by at most this time. */
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
