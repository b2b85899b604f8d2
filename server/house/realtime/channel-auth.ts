import { createHmac, timingSafeEqual } from 'node:crypto'

export type AppCredentials = { appKey: string; appSecret: string }

/** Signs a text as the Pusher protocol demands: the app key, a colon, and the hex HMAC-SHA256 of the text. */
export function sign({ appKey, appSecret }: AppCredentials, signed: string): string {
  return `${appKey}:${createHmac('sha256', appSecret).update(signed).digest('hex')}`
}

export function isSigned(credentials: AppCredentials, signed: string, auth: string): boolean {
  const expected = Buffer.from(sign(credentials, signed))
  const given = Buffer.from(auth)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

export function channelString(socketId: string, channel: string, channelData?: string): string {
  return channelData === undefined ? `${socketId}:${channel}` : `${socketId}:${channel}:${channelData}`
}

export function userString(socketId: string, userData: string): string {
  return `${socketId}::user::${userData}`
}
