import { MINUTE, SECOND } from '#contract/time.ts'

export type RealtimeLimits = {
  /** An idle socket costs about 13 KB of memory, or about 55 KB with TLS. */
  maxSockets: number
  /** Maximum per IPv4 address or IPv6 /64. */
  maxSocketsPerAddress: number
  /** Per account for pages, and again for programs. Otherwise an account with many networks could take all sockets. */
  maxSocketsPerPerson: number
  /** A separate limit keeps idle sockets from taking the places of authorised ones. */
  maxUnauthorised: number
  /** At this limit the oldest unauthorised socket is closed with 4100 in favour of the newcomer. */
  maxUnauthorisedPerAddress: number
  /** A larger frame closes the socket (1009). The Pusher protocol has the same limit. */
  maxFrameBytes: number
  maxChannelsPerSocket: number
  /** A socket may have several sessions, so that a program can watch several accounts. */
  maxSessionsPerSocket: number
  /** More frames than this are refused with 4301. */
  maxFramesPerSecond: number
  /** More bad frames close the socket (4004), after which a stock client stays away. */
  maxBadFramesPerMinute: number
  /** A slow client with a fuller buffer is disconnected (4100). */
  maxBufferedBytes: number
  /** A larger event is our own fault: it is logged and not sent. */
  maxEventBytes: number
  /** After this silence we send a ping. Clients are told the time and ping by the same rule. */
  activityTimeoutMs: number
  /** An unanswered ping closes the socket (4201). */
  pongTimeoutMs: number
  grantMs: number
  /** A socket that has entered no channel within this time is closed (4009). */
  authorisationMs: number
  /** A socket that has left all its channels for this long is closed (4202). */
  emptyMs: number
  closeMs: number
  /** Ended sessions are remembered this long, to refuse authorisations that were under way when the session ended. */
  endedSessionMs: number
  /** Time-outs are late by at most this time. */
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
