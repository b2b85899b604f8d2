import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer, type TlsOptions } from 'node:tls'
import smpp from 'smpp'

// The library's filters throw on odd texts and times, so tests remove the filters.
for (const command of Object.values(smpp.commands)) {
  for (const field of Object.values(command.params ?? {})) delete field.filter
}
for (const tlv of Object.values(smpp.tlvs)) delete tlv.filter

/** Encodes an SMPP message (PDU) as octets. `fields` may contain `sequence_number` and `command_status`. */
export function pduOf(command: string, fields: Readonly<Record<string, unknown>> = {}): Buffer {
  return new smpp.PDU(command, fields).toBuffer()
}

/** A received SMPP message, of which only the header is decoded. */
export type SeenPdu = { commandId: number; status: number; sequence: number; octets: Buffer }

export const COMMAND_ID = {
  genericNack: 0x80000000,
  bindReceiver: 0x01,
  bindReceiverResp: 0x80000001,
  bindTransmitterResp: 0x80000002,
  submitSmResp: 0x80000004,
  deliverSmResp: 0x80000005,
  unbind: 0x06,
  bindTransceiverResp: 0x80000009,
  enquireLink: 0x15,
  enquireLinkResp: 0x80000015,
  dataSmResp: 0x80000103,
} as const

/** The remote end of an SMPP connection. It sends only what the test sends, and answers only an unbind. */
export type SmppPeer = AsyncDisposable & {
  socket: Socket
  seen: SeenPdu[]
  send(command: string, fields?: Record<string, unknown>): number
  sendRaw(octets: Buffer): void
  /** Resolves with the first message of this kind that no earlier call has returned. */
  next(commandId: number): Promise<SeenPdu>
  request(command: string, fields?: Record<string, unknown>): Promise<SeenPdu>
  closed: Promise<unknown>
}

export async function connectPeer(port: number, tls?: { ca?: string; cert?: string; key?: string }): Promise<SmppPeer> {
  const socket = tls === undefined ? connectTcp(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', ...tls })
  await once(socket, tls === undefined ? 'connect' : 'secureConnect')
  return peerOf(socket)
}

export type FakeSmsc = AsyncDisposable & {
  port: number
  peers: SmppPeer[]
  nextPeer(): Promise<SmppPeer>
}

/** Starts a fake SMSC on loopback. The test plays the remote end of each connection. */
export async function listenAsSmsc(tls?: TlsOptions): Promise<FakeSmsc> {
  const waiting: SmppPeer[] = []
  const peers: SmppPeer[] = []
  const events = new EventEmitter()
  const sockets = new Set<Socket>()
  const onSocket = (socket: Socket) => {
    sockets.add(socket)
    const peer = peerOf(socket)
    waiting.push(peer)
    peers.push(peer)
    events.emit('peer')
  }
  const server = tls === undefined ? createServer(onSocket) : createTlsServer(tls, onSocket)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    peers,
    nextPeer: async () => {
      for (;;) {
        const peer = waiting.shift()
        if (peer !== undefined) return peer
        await once(events, 'peer')
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function peerOf(socket: Socket): SmppPeer {
  const events = new EventEmitter().setMaxListeners(0)
  const seen: SeenPdu[] = []
  const taken = new Set<SeenPdu>()
  let rest = Buffer.alloc(0)
  let sequence = 0
  const send = (command: string, fields: Record<string, unknown> = {}) => {
    const chosen = typeof fields.sequence_number === 'number' ? fields.sequence_number : ++sequence
    socket.write(pduOf(command, { ...fields, sequence_number: chosen }))
    return chosen
  }
  // Errors are ignored, because many tests cut the connection.
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 16 && rest.length >= rest.readUInt32BE(0)) {
      const octets = rest.subarray(0, rest.readUInt32BE(0))
      rest = rest.subarray(octets.length)
      const [commandId, status, number] = [octets.readUInt32BE(4), octets.readUInt32BE(8), octets.readUInt32BE(12)]
      seen.push({ commandId, status, sequence: number, octets })
      if (commandId === COMMAND_ID.unbind) send('unbind_resp', { sequence_number: number })
      events.emit('pdu')
    }
  })
  const closed = once(socket, 'close').catch(() => undefined)
  const take = async (matches: (pdu: SeenPdu) => boolean): Promise<SeenPdu> => {
    for (;;) {
      const pdu = seen.find((candidate) => !taken.has(candidate) && matches(candidate))
      if (pdu !== undefined) {
        taken.add(pdu)
        return pdu
      }
      await Promise.race([once(events, 'pdu'), closed.then(() => Promise.reject(new Error('the peer was cut off')))])
    }
  }
  return {
    socket,
    seen,
    send,
    sendRaw: (octets) => {
      socket.write(octets)
    },
    next: (commandId) => take((pdu) => pdu.commandId === commandId),
    request: (command, fields) => {
      const wanted = send(command, fields)
      return take((pdu) => pdu.sequence === wanted && pdu.commandId >= 0x80000000)
    },
    closed,
    [Symbol.asyncDispose]: async () => {
      socket.destroy()
      await closed
    },
  }
}
