import { takeGrant } from '#server/house/realtime/authorise.ts'
import { userString } from '#server/house/realtime/channel-auth.ts'
import type { Connection } from '#server/house/realtime/connection.ts'
import type { Hub } from '#server/house/realtime/hub.ts'
import { CODE, type Code, errorFrame, PONG_FRAME, parseFrame, signedInFrame } from '#server/house/realtime/protocol.ts'
import { subscribe, unsubscribe } from '#server/house/realtime/subscribe.ts'

/** Handles a client's frame. A refused frame gets an error reply; only many refused frames close the socket. */
export function receive(hub: Hub, connection: Connection, text: string): void {
  if (!admitFrame(hub, connection)) return
  const frame = parseFrame(text)
  switch (frame.kind) {
    case 'ping':
      hub.send(connection, PONG_FRAME)
      return
    case 'pong':
      return
    case 'subscribe': {
      const refusal = subscribe(hub, connection, frame)
      if (refusal !== undefined) refuse(hub, connection, refusal)
      return
    }
    case 'unsubscribe':
      unsubscribe(hub, connection, frame.channel)
      return
    case 'signin':
      signIn(hub, connection, frame)
      return
    case 'client-event':
      refuse(hub, connection, { code: CODE.rateLimit, message: 'Client events are not offered' })
      return
    case 'bad':
      refuse(hub, connection, { code: null, message: frame.message })
      return
    default:
      frame satisfies never
  }
}

export function receiveBinary(hub: Hub, connection: Connection): void {
  if (admitFrame(hub, connection)) refuse(hub, connection, { code: null, message: 'Binary frames are not understood' })
}

/** Counts a frame against the rate limit, including control frames. Returns false if the frame must be ignored. */
export function admitFrame(hub: Hub, connection: Connection): boolean {
  if (connection.ended) return false
  const nowMs = hub.nowMs()
  connection.heard(nowMs)
  const { maxFramesPerSecond } = hub.options.limits
  if (connection.countFrame(nowMs) <= maxFramesPerSecond) return true
  const message = `Too many frames: at most ${maxFramesPerSecond} in one second`
  refuse(hub, connection, { code: CODE.rateLimit, message })
  return false
}

function signIn(hub: Hub, connection: Connection, { auth, userData }: { auth: string; userData: string }): void {
  const grant = takeGrant(hub, connection, { signed: userString(connection.id, userData), auth })
  if (grant === undefined) {
    refuse(hub, connection, { code: CODE.unauthorised, message: 'The signature of pusher:signin is not valid' })
    return
  }
  connection.signedInAs = grant.userId
  hub.settle(connection)
  hub.send(connection, signedInFrame(userData))
}

function refuse(hub: Hub, connection: Connection, { code, message }: { code: Code | null; message: string }): void {
  const badFrames = connection.countBadFrame(hub.nowMs())
  if (badFrames <= hub.options.limits.maxBadFramesPerMinute) {
    hub.send(connection, errorFrame(code, message))
    return
  }
  // Only a code in the range 4000–4099 keeps a broken client from reconnecting at once.
  hub.end(connection, { code: CODE.overQuota, message: 'Too many refused frames' })
}
