import type { LiveEventName, SentEvents } from '#contract/live-events.ts'
import type { Log } from '#server/log.ts'
import type { Hub } from '#server/realtime/hub.ts'
import { eventFrame } from '#server/realtime/protocol.ts'

export type LiveEvent<Name extends LiveEventName> = { channel: string; name: Name; payload: SentEvents[Name] }

/** What a key of scope `read` may ask for by calls. Notifications and tickets are for sessions, over whatever wire. */
const EVENTS_FOR_KEYS: ReadonlySet<LiveEventName> = new Set([
  ...(['NewCode', 'ActivationChanged', 'RentalChanged', 'PreorderChanged'] as const),
  ...(['BalanceTopup', 'PaymentChanged'] as const),
])

/** Returns the number of receivers. Delivery is in order, and no socket can make it throw. */
export function publishEvent<Name extends LiveEventName>(hub: Hub, log: Log, event: LiveEvent<Name>): number {
  const members = hub.channels.members(event.channel)
  if (members.size === 0) return 0
  const frame = eventFrame(event)
  const bytes = Buffer.byteLength(frame)
  if (bytes > hub.options.limits.maxEventBytes) {
    // The change is committed already, so throwing would fail a call that succeeded. Clients fetch it later.
    log.error({ channel: event.channel, event: event.name, bytes }, 'a live event is too large and was not sent')
    return 0
  }
  let receivers = 0
  const isForKeys = EVENTS_FOR_KEYS.has(event.name)
  for (const connection of members) {
    if (!isForKeys && connection.keyChannels.includes(event.channel)) continue
    if (hub.send(connection, frame)) receivers += 1
  }
  return receivers
}
