import Fastify from 'fastify'
import { answerParent } from './ask-child.ts'

/** The lower bound for comparison: Fastify that sends ready-made bytes. */
const app = Fastify()

export type ReadyReply = { path: string; status: number; headers: Record<string, string>; body: Uint8Array }

const answers = {
  serve: async (replies: ReadyReply[]) => {
    for (const { path, status, headers, body } of replies) {
      const bytes = status === 304 ? undefined : Buffer.from(body)
      app.get(path, (_request, reply) => reply.code(status).headers(headers).send(bytes))
    }
    return app.listen({ host: '127.0.0.1', port: 0 })
  },
}
export type BareFastifyAnswers = typeof answers

answerParent(answers, () => app.close())
