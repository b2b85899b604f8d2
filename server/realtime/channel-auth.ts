import { createHmac, timingSafeEqual } from 'node:crypto'

/** The key is public and names the app; the secret never leaves the server. */
export type AppCredentials = { appKey: string; appSecret: string }

/** The string that a client must present to enter a channel: `key:` and the hex HMAC-SHA256 of `signed`. */
export function sign({ appKey, appSecret }: AppCredentials, signed: string): string {
  return `${appKey}:${createHmac('sha256', appSecret).update(signed).digest('hex')}`
}

/** Whether `auth` is what `sign` gives, both the key and the signature, in constant time. */
export function isSigned(credentials: AppCredentials, signed: string, auth: string): boolean {
  const expected = Buffer.from(sign(credentials, signed))
  const given = Buffer.from(auth)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** What is signed for a channel, of the Pusher protocol. */
export function channelString(socketId: string, channel: string, channelData?: string): string {
  return channelData === undefined ? `${socketId}:${channel}` : `${socketId}:${channel}:${channelData}`
}

/** What is signed for `pusher:signin`, of the Pusher protocol. */
export function userString(socketId: string, userData: string): string {
  return `${socketId}::user::${userData}`
}
