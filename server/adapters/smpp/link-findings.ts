import { connect } from 'node:net'
import type { SupplierFinding } from '#server/core/suppliers/supplier.ts'
import { whyFailed } from '#server/house/http/outbound/why-failed.ts'
import { bindFields, placeOf, whyRefused } from './bind.ts'
import type { Inbox } from './inbox.ts'
import { sessionLimits } from './link.ts'
import { findLinkUp } from './queries/link-up.ts'
import { SmppSession } from './session.ts'
import type { ClientSettings, ServerSettings, SmppSettings } from './settings.ts'
import { connectSocket, type Endpoint } from './wire/connect-socket.ts'
import { STATUS } from './wire/pdu.ts'

const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Tests the SMPP link: connects to each carrier, and binds unless the running server is bound already. */
export async function testLink(inbox: Inbox, settings: SmppSettings): Promise<SupplierFinding[]> {
  if (settings.mode === 'server') return [await testPort(settings)]
  const isBound = await findLinkUp(inbox.ctx.db, inbox.supplierId)
  return Promise.all(settings.hosts.map((host) => testHost(inbox, settings, { host, isBound })))
}

async function testHost(
  { ctx }: Inbox,
  settings: ClientSettings,
  { host, isBound }: { host: Endpoint; isBound: boolean },
): Promise<SupplierFinding> {
  const what = placeOf(host)
  const limits = sessionLimits(settings)
  try {
    const never = new AbortController().signal
    const socket = await connectSocket(host, { tls: settings.tls, timeoutMs: limits.responseMs, signal: never })
    // A carrier's message during the test is answered with "busy", so that the carrier sends it again later.
    const onRequest = async () => ({ status: STATUS.receiverBusy })
    const session = new SmppSession({ socket, log: ctx.log, limits, onRequest })
    // The test does not bind again, because carriers allow few sessions and may end the receiving one.
    const says = isBound ? 'connected; not bound a second time, the server is bound' : await bind(session, settings)
    await session.end('the test is over')
    return { what, works: true, says }
  } catch (error) {
    return { what, works: false, says: whyFailed(error) }
  }
}

async function bind(session: SmppSession, settings: ClientSettings): Promise<string> {
  const { status } = await session.request(`bind_${settings.bindAs}`, bindFields(settings))
  if (status === STATUS.ok) return 'connected, and bound'
  session.destroy('the bind was refused')
  throw new Error(`it ${whyRefused(status)}`)
}

async function testPort({ listen }: ServerSettings): Promise<SupplierFinding> {
  const host = EVERY_ADDRESS[listen.host] ?? listen.host
  const what = placeOf({ host, port: listen.port })
  if (listen.port === 0) return { what, works: true, says: 'not asked: the system chooses the port' }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host, port: listen.port })
  socket.once('connect', () => resolve()).once('error', reject)
  socket.setTimeout(5_000, () => reject(new Error('no connection within 5000 ms')))
  try {
    await promise
    return { what, works: true, says: 'our port takes connections; whether a gateway is bound, the link says' }
  } catch (error) {
    return { what, works: false, says: `our port takes no connection (${whyFailed(error)}): is the server running?` }
  } finally {
    socket.destroy()
  }
}
