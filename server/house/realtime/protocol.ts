/** A frame of the Pusher protocol. `data` is JSON inside a JSON string, or a plain object from clients. */

/**
 * The close codes of the Pusher protocol. Clients do not reconnect at 4000–4099, reconnect after a pause at 4100–4199,
 * and at once at 4200–4299. A code of 4300–4399 closes nothing.
 */
export const CODE = {
  appNotFound: 4001,
  overQuota: 4004,
  pathNotFound: 4005,
  badVersion: 4006,
  unsupportedProtocol: 4007,
  noProtocol: 4008,
  unauthorised: 4009,
  overCapacity: 4100,
  serverStopping: 4200,
  pongTimeout: 4201,
  inactive: 4202,
  rulesChanged: 4203,
  rateLimit: 4301,
} as const
export type Code = (typeof CODE)[keyof typeof CODE]

export type Refusal = { code: Code; message: string }

const MAX_CHANNEL_NAME_LENGTH = 164
const MAX_AUTH_LENGTH = 256
const CHANNEL_NAME = /^#?[A-Za-z0-9_\-=@,.;]+$/

export const PING_FRAME = '{"event":"pusher:ping","data":"{}"}'
export const PONG_FRAME = '{"event":"pusher:pong","data":"{}"}'

export function establishedFrame(socketId: string, activityTimeoutMs: number): string {
  const data = JSON.stringify({ socket_id: socketId, activity_timeout: Math.ceil(activityTimeoutMs / 1_000) })
  return JSON.stringify({ event: 'pusher:connection_established', data })
}

export function subscribedFrame(channel: string): string {
  return JSON.stringify({ event: 'pusher_internal:subscription_succeeded', data: '{}', channel })
}

export function signedInFrame(userData: string): string {
  return JSON.stringify({ event: 'pusher:signin_success', data: JSON.stringify({ user_data: userData }) })
}

/** Builds an error frame, in which `data` is an object. A null `code` means that the client's frame was refused. */
export function errorFrame(code: Code | null, message: string): string {
  return JSON.stringify({ event: 'pusher:error', data: { code, message } })
}

export function eventFrame(event: { channel: string; name: string; payload: unknown }): string {
  return JSON.stringify({ event: event.name, data: JSON.stringify(event.payload), channel: event.channel })
}

export type ClientFrame =
  | { kind: 'ping' }
  | { kind: 'pong' }
  | { kind: 'subscribe'; channel: string; auth: string; channelData: string | undefined }
  | { kind: 'unsubscribe'; channel: string }
  | { kind: 'signin'; auth: string; userData: string }
  | { kind: 'client-event' }
  | { kind: 'bad'; message: string }

export function parseFrame(text: string): ClientFrame {
  const frame = parseObject(text)
  if (frame === undefined) return bad('The frame is not a JSON object')
  const { event } = frame
  if (typeof event !== 'string') return bad('The frame has no event name')
  if (event === 'pusher:ping') return { kind: 'ping' }
  if (event === 'pusher:pong') return { kind: 'pong' }
  if (event.startsWith('client-')) return { kind: 'client-event' }
  const data = typeof frame.data === 'string' ? parseObject(frame.data) : asObject(frame.data)
  if (data === undefined) return bad('The data of the frame is not an object')
  switch (event) {
    case 'pusher:subscribe':
      return subscribe(data)
    case 'pusher:unsubscribe':
      return isChannelName(data.channel) ? { kind: 'unsubscribe', channel: data.channel } : bad('Invalid channel name')
    case 'pusher:signin':
      return signin(data)
    default:
      return bad('Unknown event')
  }
}

type Fields = Record<string, unknown>

function subscribe(data: Fields): ClientFrame {
  const { channel, auth = '', channel_data: channelData } = data
  if (!isChannelName(channel)) return bad('Invalid channel name')
  if (typeof auth !== 'string' || auth.length > MAX_AUTH_LENGTH) return bad('Invalid auth')
  if (channelData !== undefined && channelData !== null && typeof channelData !== 'string') {
    return bad('Invalid channel_data')
  }
  return { kind: 'subscribe', channel, auth, channelData: channelData ?? undefined }
}

function signin(data: Fields): ClientFrame {
  const { auth, user_data: userData } = data
  if (typeof auth !== 'string' || auth.length > MAX_AUTH_LENGTH) return bad('Invalid auth')
  if (typeof userData !== 'string') return bad('Invalid user_data')
  return { kind: 'signin', auth, userData }
}

function isChannelName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= MAX_CHANNEL_NAME_LENGTH && CHANNEL_NAME.test(name)
}

function parseObject(text: string): Fields | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Fields | undefined {
  // The cast only widens `object`; callers read the fields as unknown.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function bad(message: string): ClientFrame {
  return { kind: 'bad', message }
}
