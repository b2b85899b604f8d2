import { MINUTE, SECOND } from '#contract/time.ts'

/** Every bound of the live server. A deployment may replace single ones. */
export type RealtimeLimits = {
  /** Open sockets in all. Idle ones cost about 13 KB of memory each, with TLS about 55 KB. */
  maxSockets: number
  /** Open sockets of one client address (of one /64 network in IPv6). */
  maxSocketsPerAddress: number
  /** Open sockets that were let into no channel yet, in all: idle ones cannot take the places of people. */
  maxUnauthorised: number
  /** The same of one client address. The oldest gives way to a newcomer, with 4100. */
  maxUnauthorisedPerAddress: number
  /** A larger frame from a client closes its socket (1009). The Pusher protocol's own bound. */
  maxFrameBytes: number
  maxChannelsPerSocket: number
  /** Different sessions that may sign for one socket, so that a program can watch several accounts on one. */
  maxSessionsPerSocket: number
  /** Frames of a client in one second; those above it are refused with 4301. */
  maxFramesPerSecond: number
  /** Refused frames in one minute, after which the socket is closed (4004) and a stock client stays away. */
  maxBadFramesPerMinute: number
  /** Bytes waiting for a client that reads slower than we write, after which it is cut (4100). */
  maxBufferedBytes: number
  /** A published event larger than this is a fault of ours: it is logged and not sent. */
  maxEventBytes: number
  /** Without a frame from the client for so long we ping it. Told to clients, which ping by the same rule. */
  activityTimeoutMs: number
  /** A ping unanswered for so long closes the socket (4201). */
  pongTimeoutMs: number
  /** How long a signature for a channel can be used. */
  grantMs: number
  /** A socket that was never let into a channel is closed (4009) after so long. */
  authorisationMs: number
  /** A socket that left all its channels is closed (4202) after so long. */
  emptyMs: number
  /** How long a closing socket is given to answer before it is destroyed. */
  closeMs: number
  /** How long an ended session is remembered, for authorisations already under way when it ended. */
  endedSessionMs: number
  /** How often time-outs are looked at; they are late by at most this. */
  tickMs: number
}

export const DEFAULT_LIMITS: RealtimeLimits = {
  maxSockets: 10_000,
  maxSocketsPerAddress: 200,
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
