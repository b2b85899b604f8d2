import { takeGrant } from '#server/house/realtime/authorise.ts'
import { channelString } from '#server/house/realtime/channel-auth.ts'
import { channelKind } from '#server/house/realtime/channels.ts'
import type { Connection } from '#server/house/realtime/connection.ts'
import type { Hub } from '#server/house/realtime/hub.ts'
import { CODE, type Code, subscribedFrame } from '#server/house/realtime/protocol.ts'

export type SubscribeRequest = { channel: string; auth: string; channelData: string | undefined }
export type SubscribeRefusal = { code: Code | null; message: string }

export function subscribe(hub: Hub, connection: Connection, request: SubscribeRequest): SubscribeRefusal | undefined {
  const { channel } = request
  if (connection.channels.includes(channel))
    return { code: null, message: `Existing subscription to channel ${channel}` }
  const { maxChannelsPerSocket } = hub.options.limits
  if (connection.channels.length >= maxChannelsPerSocket) {
    return { code: null, message: `Too many channels: at most ${maxChannelsPerSocket} on one socket` }
  }
  const entry = enter(hub, connection, request)
  if ('refusal' in entry) return entry.refusal
  connection.channels = [...connection.channels, channel]
  if (entry.byKey) connection.keyChannels = [...connection.keyChannels, channel]
  hub.settle(connection)
  hub.join(channel, connection, () => {
    if (connection.channels.includes(channel)) hub.send(connection, subscribedFrame(channel))
  })
  return undefined
}

/** Removes a channel from the connection. The Pusher protocol has no reply to an unsubscribe. */
export function unsubscribe(hub: Hub, connection: Connection, channel: string): void {
  if (!connection.channels.includes(channel)) return
  connection.channels = connection.channels.filter((name) => name !== channel)
  connection.keyChannels = connection.keyChannels.filter((name) => name !== channel)
  hub.settle(connection)
  hub.leave(channel, connection)
}

type Entry = { refusal: SubscribeRefusal } | { byKey: boolean }

/** Checks a request to enter a channel. The signature must be ours, made for this socket, unused and recent. */
function enter(hub: Hub, connection: Connection, request: SubscribeRequest): Entry {
  const kind = channelKind(request.channel, hub.options.publicChannels)
  switch (kind.kind) {
    case 'refused':
      return { refusal: { code: CODE.unauthorised, message: kind.message } }
    case 'public':
      return { byKey: false }
    case 'server-to-user':
      // pusher-js enters this empty channel after signing in, and would log an error if it were refused.
      return kind.userId === String(connection.signedInAs) ? { byKey: false } : notValid(request.channel)
    case 'private': {
      const signed = channelString(connection.id, request.channel, request.channelData)
      const grant = takeGrant(hub, connection, { signed, auth: request.auth })
      return grant === undefined ? notValid(request.channel) : { byKey: grant.byKey === true }
    }
    default:
      return kind satisfies never
  }
}

function notValid(channel: string): Entry {
  return { refusal: { code: CODE.unauthorised, message: `The signature for channel ${channel} is not valid` } }
}
