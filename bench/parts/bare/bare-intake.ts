import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { type WebSocket, WebSocketServer } from 'ws'
import { answerParent } from '../ask-child.ts'
import { eachOf } from '../work-at-once.ts'

/** The lower bound for the intake of a message: one committed INSERT into a table of bare-books.sql, and one send. */
const database = new pg.Client({ connectionString: process.env.DATABASE_URL })
await database.connect()
await database.query(await readFile(new URL('bare-books.sql', import.meta.url), 'utf8'))
const MAX_CONNECTIONS = 10
const JUNK_PHONE = '79999999999'
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: MAX_CONNECTIONS })
const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
await once(sockets, 'listening')
let listener: WebSocket | undefined
sockets.on('connection', (socket) => {
  listener = socket
})

const INSERT = {
  name: 'insert-message',
  text: `INSERT INTO bare.messages (supplier_id, supplier_message_id, phone, sender, body, received_at)
    VALUES (1, $1, $2, $3, $4, $5)`,
}

const answers = {
  liveUrl: () => `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`,

  insertAndSend: async (sms: { messageId: string; phone: string; sender: string; text: string; frame: string }) => {
    const startedAt = process.hrtime.bigint()
    await database.query({ ...INSERT, values: [sms.messageId, sms.phone, sms.sender, sms.text, new Date()] })
    listener?.send(sms.frame)
    return startedAt
  },

  insertsPerSecond: async ({ count }: { count: number }) => {
    const startedAt = process.hrtime.bigint()
    await eachOf(count, MAX_CONNECTIONS, async (place) => {
      const values = [`bare-${startedAt}-${place}`, JUNK_PHONE, 'Junk', `Junk ${place}`, new Date()]
      await pool.query({ ...INSERT, values })
    })
    return (count * 1e9) / Number(process.hrtime.bigint() - startedAt)
  },
}
export type BareIntakeAnswers = typeof answers

answerParent(answers, async () => {
  sockets.close()
  listener?.terminate()
  await pool.end()
  await database.end()
})
