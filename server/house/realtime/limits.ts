import { MINUTE, SECOND } from '#contract/time.ts'

export type RealtimeLimits = {
  /** The maximum number of sockets. An idle socket costs about 13 KB of memory, or about 55 KB with TLS. */
  maxSockets: number
  maxSocketsPerAddress: number
  /**
   * The maximum number of sockets of an account's pages, and again of its programs. Otherwise an account that uses many
   * networks could take all sockets.
   */
  maxSocketsPerPerson: number
  /**
   * The maximum number of unauthorised sockets. This separate limit keeps idle sockets from taking the places of
   * authorised sockets.
   */
  maxUnauthorised: number
  /**
   * The maximum number of unauthorised sockets of one address. At this limit the address's oldest unauthorised socket
   * is closed with 4100 in favour of a new socket.
   */
  maxUnauthorisedPerAddress: number
  /** The maximum size of a frame, as in the Pusher protocol. A larger frame closes the socket (1009). */
  maxFrameBytes: number
  maxChannelsPerSocket: number
  /** The maximum number of sessions of one socket. A program may use several sessions to watch several accounts. */
  maxSessionsPerSocket: number
  /** The maximum number of frames per second. Further frames are refused with 4301. */
  maxFramesPerSecond: number
  /**
   * The maximum number of bad frames per minute. Further bad frames close the socket with 4004, after which a stock
   * client does not reconnect.
   */
  maxBadFramesPerMinute: number
  /** The maximum number of bytes buffered for a slow client. A client with a fuller buffer is disconnected (4100). */
  maxBufferedBytes: number
  /** The maximum size of an event. A larger event is our own fault: it is logged and not sent. */
  maxEventBytes: number
  /**
   * The time of silence after which we send a ping. Clients are told this time and send their own pings by the same
   * rule.
   */
  activityTimeoutMs: number
  /** The time to answer a ping. An unanswered ping closes the socket (4201). */
  pongTimeoutMs: number
  grantMs: number
  /** The time to enter a first channel. A socket without a channel after that time is closed (4009). */
  authorisationMs: number
  /** The time that a socket may stay open after it has left all its channels. It is then closed (4202). */
  emptyMs: number
  closeMs: number
  /**
   * The time for which ended sessions are remembered, to refuse authorisations that were under way when the session
   * ended.
   */
  endedSessionMs: number
  /** The interval at which time-outs are checked, so time-outs are late by at most this time. */
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
