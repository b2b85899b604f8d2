import PusherModule from 'pusher-js'
import type { Api } from '#contract/calls/calls.ts'
import type { Locale } from '#contract/constants.ts'
import { LIVE_EVENT_NAMES, userChannel } from '#contract/live-events.ts'
import { SECOND } from '#contract/time.ts'
import type { SiteSettings } from '#contract/user.ts'
import type { LiveEvent } from './apply-event.ts'
import { inLanguage, type SentEvent } from './in-language.ts'
import { firstLiveAddress, type LiveAddress, ownLiveAddress, rememberOwnOrigin } from './live-address.ts'
import type { LiveState } from './live-store.ts'

// The package exports the class itself; its types describe an ES module with a default export.
const Pusher = PusherModule as unknown as typeof PusherModule.default

/** The live port has so long to open. */
const FIRST_ADDRESS_MS = 3 * SECOND
/** A subscription refused while the socket stands (the server was busy) is asked for again after this. */
const SUBSCRIBE_AGAIN_MS = 5 * SECOND

export type LiveOptions = {
  realtime: SiteSettings['realtime']
  userId: number
  /** Brings the bearer token along, and refreshes it when it has run out. */
  api: Api
  /** The language of the page, asked with each event. */
  locale: () => Locale
  onEvent: (event: LiveEvent) => void
  onState: (state: LiveState) => void
  /** The channel is open, at first or again: what came in between is asked for. */
  onOpen: () => void
  /** The server closed the socket for good, as it does when the session is over. No reconnecting follows. */
  onRefused: () => void
}

/**
 * Opens the private channel of a user. The live port is tried first; if it has not opened in time, the page's own origin
 * is used and remembered for the tab. Reconnects by itself until `close` is called.
 */
export function openLive(options: LiveOptions): { close: () => void } {
  const first = firstLiveAddress(options.realtime)
  if (first === null) return openAt(options, ownLiveAddress())
  const opened = openAt(options, first, () => {
    clearTimeout(timer)
  })
  let current = opened
  const timer = setTimeout(() => {
    opened.close()
    rememberOwnOrigin()
    current = openAt(options, ownLiveAddress())
  }, FIRST_ADDRESS_MS)
  return {
    close: () => {
      clearTimeout(timer)
      current.close()
    },
  }
}

/** `onConnected`: the socket stands, whether or not the channel opens. */
function openAt(options: LiveOptions, address: LiveAddress, onConnected?: () => void): { close: () => void } {
  const socket = new Pusher(options.realtime.key, {
    // Required by the type and unused: the host is given.
    cluster: '',
    wsHost: address.host,
    wsPort: address.port,
    wssPort: address.port,
    forceTLS: address.secure,
    enabledTransports: ['ws', 'wss'],
    enableStats: false,
    channelAuthorization: { customHandler: authoriseWith(options.api) },
  })
  if (onConnected !== undefined) socket.connection.bind('connected', onConnected)
  const name = userChannel(options.userId)
  let again: ReturnType<typeof setTimeout> | undefined
  let wasOpen = false

  function subscribe(): void {
    const channel = socket.subscribe(name)
    channel.bind('pusher:subscription_succeeded', () => {
      wasOpen = true
      options.onState('connected')
      options.onOpen()
    })
    channel.bind('pusher:subscription_error', () => {
      options.onState('offline')
      clearTimeout(again)
      again = setTimeout(() => {
        socket.unsubscribe(name)
        subscribe()
      }, SUBSCRIBE_AGAIN_MS)
    })
    for (const eventName of LIVE_EVENT_NAMES) {
      channel.bind(eventName, (payload: unknown) => {
        // The server publishes by the same map of names and payloads: contract/live-events.ts.
        options.onEvent(inLanguage({ name: eventName, payload } as SentEvent, options.locale()))
      })
    }
  }

  socket.connection.bind('state_change', ({ current }: { current: string }) => {
    // `connected` is only said once the channel is open.
    if (current === 'unavailable' || current === 'disconnected' || (current === 'connecting' && wasOpen)) {
      options.onState('offline')
    }
    // `close` unbinds this first: only the server's own closing comes here.
    if (current === 'disconnected') options.onRefused()
  })
  options.onState('connecting')
  subscribe()
  return {
    close: () => {
      clearTimeout(again)
      socket.connection.unbind('state_change')
      socket.disconnect()
      options.onState('off')
    },
  }
}

function authoriseWith(api: Api) {
  type Callback = (error: Error | null, reply: { auth: string } | null) => void
  return ({ socketId, channelName }: { socketId: string; channelName: string }, callback: Callback): void => {
    api('POST /broadcasting/auth', { socket_id: socketId, channel_name: channelName }).then(
      (reply) => callback(null, reply),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
