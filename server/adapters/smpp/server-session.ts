import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { nameOfStatus } from './bind.ts'
import { isPassword } from './credentials.ts'
import { type LinkOptions, sessionLimits } from './link.ts'
import { type Answer, SmppSession } from './session.ts'
import type { ServerSettings } from './settings.ts'
import { createMessageTaker, MESSAGE_COMMANDS } from './take-message.ts'
import { type Pdu, STATUS, textField } from './wire/pdu.ts'

export type ServerSession = {
  readonly address: string | undefined
  readonly systemId: string | null
  readonly closed: Promise<string>
  end(): Promise<void>
}

type State = {
  systemId: string | null
  /** False for a peer bound as a receiver, which may not send us messages. */
  maySend: boolean
  isBinding: boolean
}

type Peers = ReadonlySet<ServerSession>

const BIND_COMMANDS: readonly string[] = ['bind_transmitter', 'bind_transceiver', 'bind_receiver']
const OUR_SYSTEM_ID = 'ringpost'

export function createServerSession(
  options: LinkOptions<ServerSettings>,
  { socket, sessions }: { socket: Socket; sessions: Peers },
): ServerSession {
  const { inbox, code, settings } = options
  const { log } = inbox.ctx
  const address = socket.remoteAddress
  const state: State = { systemId: null, maySend: false, isBinding: false }
  let unbound: ((why: string) => void) | undefined
  const taker = createMessageTaker(inbox, STATUS.systemError)
  const session = new SmppSession({
    socket,
    log,
    limits: sessionLimits(settings),
    onRequest: async (request) => {
      if (BIND_COMMANDS.includes(request.command)) {
        const answer = await bind(options, { request, state, sessions })
        if (answer.status === STATUS.ok) {
          clearTimeout(bindDeadline)
          if (state.maySend) unbound = options.watch.bound()
        } else {
          log.warn({ supplier: code, address, status: answer.status }, 'an SMPP bind was refused')
          // The reason contains no IP address, because each new address would be reported as a new reason.
          options.watch.failed(`a bind was refused: ${nameOfStatus(answer.status)}`)
        }
        return answer
      }
      if (state.systemId === null) return { status: STATUS.wrongBindState, hangUp: true }
      if (!MESSAGE_COMMANDS.includes(request.command)) return { status: STATUS.invalidCommand }
      return state.maySend ? taker.take(request) : { status: STATUS.wrongBindState }
    },
  })
  const bindDeadline = setTimeout(() => session.destroy('it did not bind in time'), settings.bindSeconds * 1_000)
  const closed = session.closed.then((reason) => {
    clearTimeout(bindDeadline)
    unbound?.(`${address ?? 'a gateway'}: ${reason}`)
    if (!session.isOrderly) taker.lost()
    log.info({ supplier: code, address, systemId: state.systemId, reason }, 'an SMPP session ended')
    return reason
  })
  return {
    address,
    get systemId() {
      return state.systemId
    },
    closed,
    end: () => session.end('stopped'),
  }
}

/** Checks a bind request. All refusals look the same, so that a stranger cannot find out valid system ids. */
async function bind(
  { inbox, code, settings }: LinkOptions<ServerSettings>,
  { request, state, sessions }: { request: Pdu; state: State; sessions: Peers },
): Promise<Answer> {
  if (state.systemId !== null || state.isBinding) return { status: STATUS.alreadyBound }
  state.isBinding = true
  const systemId = textField(request, 'system_id')
  const peer = settings.peers.find((candidate) => candidate.systemId === systemId)
  const isRight = await isPassword(peer, textField(request, 'password'))
  const open = [...sessions].filter((session) => session.systemId === systemId).length
  if (!isRight || peer === undefined || open >= peer.maxSessions) {
    await wait(settings.wrongPasswordDelaySeconds * 1_000, undefined, { ref: false })
    return { status: STATUS.bindFailed, hangUp: true }
  }
  state.systemId = systemId
  state.maySend = request.command !== 'bind_receiver'
  inbox.ctx.log.info({ supplier: code, systemId, command: request.command }, 'an SMPP gateway bound')
  return { status: STATUS.ok, fields: { system_id: OUR_SYSTEM_ID } }
}
