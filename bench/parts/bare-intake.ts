import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { type WebSocket, WebSocketServer } from 'ws'
import { answerParent } from './ask-child.ts'

/** The least that an intake can be: one INSERT with its commit, then one send to the one socket that is open here. */
const database = new pg.Client({ connectionString: process.env.DATABASE_URL })
await database.connect()
const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
await once(sockets, 'listening')
let listener: WebSocket | undefined
sockets.on('connection', (socket) => {
  listener = socket
})

const INSERT = {
  name: 'insert-message',
  text: `INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, received_at)
    VALUES ((SELECT id FROM suppliers LIMIT 1), $1, $2, $3, $4, $5)`,
}

const answers = {
  liveUrl: () => `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`,

  /** Returns when it began, on the clock of `hrtime`. */
  insertAndSend: async (sms: { messageId: string; phone: string; sender: string; text: string; frame: string }) => {
    const startedAt = process.hrtime.bigint()
    await database.query({ ...INSERT, values: [sms.messageId, sms.phone, sms.sender, sms.text, new Date()] })
    listener?.send(sms.frame)
    return startedAt
  },
}
export type BareIntakeAnswers = typeof answers

answerParent(answers, async () => {
  sockets.close()
  listener?.terminate()
  await database.end()
})
