import { type LiveEventName, type SentEvents, userChannel } from '#contract/live-events.ts'
import type { Log } from '#server/house/log.ts'
import type { Connection } from '#server/house/realtime/connection.ts'
import type { Hub } from '#server/house/realtime/hub.ts'
import { eventFrame } from '#server/house/realtime/protocol.ts'

export type LiveEvent<Name extends LiveEventName> = { channel: string; name: Name; payload: SentEvents[Name] }

/** Events that API keys get, because calls with the scope `read` have the same data. Others are for sessions only. */
const EVENTS_FOR_KEYS: ReadonlySet<LiveEventName> = new Set([
  ...(['NewCode', 'ActivationChanged', 'RentalChanged', 'PreorderChanged'] as const),
  ...(['BalanceTopup', 'PaymentChanged', 'EventsMissed'] as const),
])

/**
 * Publishes a separate payload to the pages of each session, not to programs with API keys. A null payload is not sent.
 * Returns the number of receivers.
 */
export function publishBySession<Name extends LiveEventName>(
  hub: Hub,
  log: Log,
  event: { channel: string; name: Name; payloadFor: (session: string) => SentEvents[Name] | null },
): number {
  const { channel, name, payloadFor } = event
  let receivers = 0
  for (const session of sessionsOf(hub, channel)) {
    const payload = payloadFor(session)
    const frame = payload === null ? null : frameOf(hub, log, { channel, name, payload })
    if (frame === null) continue
    for (const tab of tabsOf(hub, channel))
      if (sessionOf(tab, channel) === session && hub.send(tab, frame)) receivers += 1
  }
  return receivers
}

export function sessionsOf(hub: Hub, channel: string): string[] {
  return [...new Set(tabsOf(hub, channel).flatMap((tab) => sessionOf(tab, channel) ?? []))]
}

function tabsOf(hub: Hub, channel: string): Connection[] {
  return [...hub.channels.members(channel)].filter(({ keyChannels }) => !keyChannels.includes(channel))
}

/** Returns the session that listens to the channel, because a socket may be authorised for several accounts. */
function sessionOf({ identities }: Connection, channel: string): string | undefined {
  return identities.find(({ byKey, userId }) => byKey !== true && userChannel(userId) === channel)?.sessionId
}

/** Sends an event to all subscribers in order and returns their number. No socket can make it throw. */
export function publishEvent<Name extends LiveEventName>(hub: Hub, log: Log, event: LiveEvent<Name>): number {
  const members = hub.channels.members(event.channel)
  if (members.size === 0) return 0
  const frame = frameOf(hub, log, event)
  if (frame === null) return 0
  let receivers = 0
  const isForKeys = EVENTS_FOR_KEYS.has(event.name)
  for (const connection of members) {
    if (!isForKeys && connection.keyChannels.includes(event.channel)) continue
    if (hub.send(connection, frame)) receivers += 1
  }
  return receivers
}

function frameOf<Name extends LiveEventName>(hub: Hub, log: Log, event: LiveEvent<Name>): string | null {
  const frame = eventFrame(event)
  const bytes = Buffer.byteLength(frame)
  if (bytes <= hub.options.limits.maxEventBytes) return frame
  // The change is already committed, so throwing would fail a call that succeeded. Clients fetch the change later.
  log.error({ channel: event.channel, event: event.name, bytes }, 'a live event is too large and was not sent')
  return null
}
