import Fastify from 'fastify'
import { answerParent } from './ask-child.ts'

/** Fastify with one route that sends bytes it has: the least that any page can cost. */
const app = Fastify()

const answers = {
  serve: async ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) => {
    const bytes = Buffer.from(body)
    app.get('/', (_request, reply) => reply.headers(headers).send(bytes))
    return app.listen({ host: '127.0.0.1', port: 0 })
  },
}
export type BareFastifyAnswers = typeof answers

answerParent(answers, () => app.close())
