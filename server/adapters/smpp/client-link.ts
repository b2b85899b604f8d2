import { setTimeout as wait } from 'node:timers/promises'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import { bindFields, placeOf, whyRefused } from './bind.ts'
import { type Link, type LinkOptions, sessionLimits } from './link.ts'
import { type Answer, SmppSession } from './session.ts'
import type { ClientSettings } from './settings.ts'
import { createMessageTaker, MESSAGE_COMMANDS, type MessageTaker } from './take-message.ts'
import { connectSocket, type Endpoint } from './wire/connect-socket.ts'
import { type Pdu, STATUS } from './wire/pdu.ts'

type Options = LinkOptions<ClientSettings>

type Attempt = { outcome: 'was-bound'; boundMs: number } | { outcome: 'refused' } | { outcome: 'failed' }

/** The duration after which a session counts as steady, so that the next reconnect is fast again. */
const STEADY_MS = 60_000

export function startClientLink(options: Options): Link {
  const stopping = new AbortController()
  const running = keepConnected(options, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function keepConnected(options: Options, signal: AbortSignal): Promise<void> {
  const { settings } = options
  let losses = 0
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const endpoint = settings.hosts[attempt % settings.hosts.length]
    if (endpoint === undefined) throw new Error('an SMPP client needs a host')
    const result = await tryEndpoint(options, endpoint, signal)
    if (signal.aborted) return
    losses = result.outcome === 'was-bound' && result.boundMs >= STEADY_MS ? 1 : losses + 1
    const delayMs = reconnectDelayMs(options, result, losses)
    // The wait rejects only after stop(), and then the loop's condition ends the loop.
    await wait(delayMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Returns the reconnect delay, which grows exponentially. Its random half spreads the reconnects of many clients. */
function reconnectDelayMs({ inbox, settings }: Options, result: Attempt, losses: number): number {
  const longest =
    result.outcome === 'refused'
      ? settings.refusedSeconds * 1_000
      : Math.min(settings.reconnectMaxSeconds, settings.reconnectSeconds * 2 ** Math.min(losses - 1, 16)) * 1_000
  const half = longest / 2
  return half + inbox.ctx.random.below(Math.ceil(half) + 1)
}

async function tryEndpoint(options: Options, endpoint: Endpoint, signal: AbortSignal): Promise<Attempt> {
  const { code, settings, watch } = options
  const { log, clock } = options.inbox.ctx
  const fields = { supplier: code, host: endpoint.host, port: endpoint.port }
  const place = placeOf(endpoint)
  let session: SmppSession
  let taker: MessageTaker
  try {
    ;({ session, taker } = await openSession(options, endpoint, signal))
  } catch (error) {
    if (!signal.aborted) {
      log.warn({ ...fields, error }, 'the SMSC cannot be reached')
      watch.failed(`${place}: ${whyFailed(error)}`)
    }
    return { outcome: 'failed' }
  }
  let ending: Promise<void> | undefined
  const stop = () => {
    ending = session.end('stopped')
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const answer = await session.request(`bind_${settings.bindAs}`, bindFields(settings))
    if (answer.status !== STATUS.ok) {
      log.error({ ...fields, status: answer.status, systemId: settings.systemId }, 'the SMSC refuses the bind')
      watch.failed(`${place} ${whyRefused(answer.status)}`)
      session.destroy('the bind was refused')
      await session.closed
      return { outcome: 'refused' }
    }
    log.info(fields, 'bound to the SMSC')
    const boundAt = clock.now().getTime()
    const unbound = watch.bound()
    const reason = await session.closed
    unbound(`${place}: ${reason}`)
    if (!signal.aborted) log.warn({ ...fields, reason }, 'the SMSC link was lost')
    return { outcome: 'was-bound', boundMs: clock.now().getTime() - boundAt }
  } catch (error) {
    session.destroy('the bind was not answered')
    await session.closed
    if (!signal.aborted) {
      log.warn({ ...fields, error }, 'the SMSC did not answer the bind')
      watch.failed(`${place}: ${whyFailed(error)}`)
    }
    return { outcome: 'failed' }
  } finally {
    signal.removeEventListener('abort', stop)
    if (!session.isOrderly) taker.lost()
    await ending
  }
}

async function openSession(
  { inbox, settings }: Options,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<{ session: SmppSession; taker: MessageTaker }> {
  const limits = sessionLimits(settings)
  const socket = await connectSocket(endpoint, { tls: settings.tls, timeoutMs: limits.responseMs, signal })
  const taker = createMessageTaker(inbox, STATUS.receiverBusy)
  const session = new SmppSession({
    socket,
    log: inbox.ctx.log,
    limits,
    onRequest: async (request: Pdu): Promise<Answer> =>
      MESSAGE_COMMANDS.includes(request.command) ? taker.take(request) : { status: STATUS.invalidCommand },
  })
  return { session, taker }
}
