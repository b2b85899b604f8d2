import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Call, splitKey } from './call.ts'

const errorSchema = {
  type: 'object',
  required: ['status', 'code', 'message'],
  properties: {
    status: { const: false },
    code: { type: 'string' },
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    data: { type: 'object' },
  },
}

/** `GET /api/openapi.json`: every call, generated from the schemas that check it. */
export function registerOpenApi(app: FastifyInstance, calls: readonly Call[]): void {
  let ready: string | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    ready ??= JSON.stringify(describe(calls))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60').send(ready)
  })
}

function describe(calls: readonly Call[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls) {
    const { method, path } = splitKey(call.key)
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeCall(call, method, path) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ringpost', version: '1' },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema },
    },
    paths,
  }
}

function describeCall(call: Call, method: string, path: string) {
  const input = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
  const fields = Object.entries(input.properties ?? {})
  const inQuery = method === 'GET' ? fields : fields.filter(([name]) => inPath.includes(name))
  const inBody = method === 'GET' ? [] : fields.filter(([name]) => !inPath.includes(name))
  return {
    operationId: call.key.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase(),
    security: call.auth === 'required' ? [{ bearer: [] }] : [{}, { bearer: [] }],
    parameters: inQuery.map(([name, schema]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || (input.required ?? []).includes(name),
      schema,
    })),
    ...(inBody.length > 0 && {
      requestBody: {
        content: { 'application/json': { schema: { type: 'object', properties: Object.fromEntries(inBody) } } },
      },
    }),
    responses: {
      [call.status]: {
        description: 'Done',
        content: {
          [call.contentType ?? 'application/json']: { schema: z.toJSONSchema(call.reply, { unrepresentable: 'any' }) },
        },
      },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}
