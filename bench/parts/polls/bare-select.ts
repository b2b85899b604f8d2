import Fastify from 'fastify'
import pg from 'pg'
import { answerParent } from '../ask-child.ts'

/** The lower bound for a poll: one indexed SELECT, and its result as text. */
const app = Fastify()
let pool: pg.Pool | undefined

export type BareSelect = { path: string; name: string; text: string; values: unknown[]; reply: string }

const answers = {
  serve: async ({ databaseUrl, connections, selects }: Serving) => {
    const opened = new pg.Pool({ connectionString: databaseUrl, max: connections })
    pool = opened
    for (const { path, reply: word, ...query } of selects) {
      app.get(path, async (_request, reply) => {
        const { rows } = await opened.query(query)
        return reply.type('text/plain; charset=utf-8').send(rows.length === 1 ? word : 'none')
      })
    }
    return app.listen({ host: '127.0.0.1', port: 0 })
  },
}
type Serving = { databaseUrl: string; connections: number; selects: BareSelect[] }
export type BareSelectAnswers = typeof answers

answerParent(answers, async () => {
  await app.close()
  await pool?.end()
})
