import PusherModule from 'pusher-js'
import type { Api } from '#contract/calls/calls.ts'
import type { LiveEvent } from '#contract/live-events.ts'
import { LIVE_EVENT_NAMES, userChannel } from '#contract/live-events.ts'
import { contentLocale, type InterfaceLocale } from '#contract/settings/languages.ts'
import { SECOND } from '#contract/time.ts'
import type { SiteSettings } from '#contract/user.ts'
import type { LiveState } from '#web/house/stores/live-store.ts'
import { inLanguage, type SentEvent } from './in-language.ts'
import { firstLiveAddress, type LiveAddress, ownLiveAddress, rememberOwnOrigin } from './live-address.ts'

// The cast is needed, because the package exports the class itself, but its types declare a default export.
const Pusher = PusherModule as unknown as typeof PusherModule.default

const FIRST_ADDRESS_MS = 3 * SECOND
/** The client subscribes again after this time, because a busy server may refuse it but keep the socket open. */
const SUBSCRIBE_AGAIN_MS = 5 * SECOND

export type LiveOptions = {
  realtime: SiteSettings['realtime']
  userId: number
  api: Api
  locale: () => InterfaceLocale
  onEvent: (event: LiveEvent) => void
  onState: (state: LiveState) => void
  /** Called whenever the live channel opens. Events from the time without a channel have to be refetched. */
  onOpen: () => void
  /** Called if the server closes the socket for good, such as after the end of a session. No reconnect follows. */
  onRefused: () => void
}

/** Opens the live socket at the live port, or else at the page's own origin for the rest of the tab's life. */
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

/** Opens a socket. `onConnected` runs when the socket opens, even if the live channel does not open. */
function openAt(options: LiveOptions, address: LiveAddress, onConnected?: () => void): { close: () => void } {
  const socket = new Pusher(options.realtime.key, {
    // The type of Pusher's options requires a cluster, but wsHost overrides it.
    cluster: '',
    wsHost: address.host,
    wsPort: address.port,
    wssPort: address.port,
    forceTLS: address.secure,
    // `forceTLS` turns `ws` into wss. With both transports Pusher would try the other scheme after two seconds.
    enabledTransports: ['ws'],
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
        // The cast is safe, because the server publishes events of the same types (contract/live-events.ts).
        options.onEvent(inLanguage({ name: eventName, payload } as SentEvent, contentLocale(options.locale())))
      })
    }
  }

  socket.connection.bind('state_change', ({ current }: { current: string }) => {
    // The live state becomes `connected` only when the channel opens.
    if (current === 'unavailable' || current === 'disconnected' || (current === 'connecting' && wasOpen)) {
      options.onState('offline')
    }
    // `close` removes this handler first, so only a close by the server arrives here.
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
