import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Call, splitKey } from './call.ts'
import { sendPacked } from './door/send-packed.ts'
import { IDEMPOTENCY_KEY_PATTERN } from './idempotency-key.ts'

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, or the token of a session. A key needs the scope that `x-scope` names; `session` refuses every key with 403.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
}
const SHOWN_SOMEHOW = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Made by the client for one purchase. A repeat with the same key buys nothing and is answered as the first was.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN.source },
}

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

export function registerOpenApi(app: FastifyInstance, calls: readonly Call[]): void {
  let ready: Buffer | undefined
  app.get('/api/openapi.json', (request, reply) => {
    ready ??= Buffer.from(JSON.stringify(describe(calls)))
    reply.header('cache-control', 'public, max-age=60')
    return sendPacked(reply, ready, request.headers['accept-encoding'])
  })
}

function describe(calls: readonly Call[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls.filter(({ admit }) => admit === undefined)) {
    const { method, path } = splitKey(call.key)
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeCall(call, method, path) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ringpost', version: '1' },
    components: { securitySchemes, schemas: { Error: errorSchema } },
    paths,
  }
}

function describeCall(call: Call, method: string, path: string) {
  const input = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
  const fields = Object.entries(input.properties ?? {})
  const inQuery = method === 'GET' ? fields : fields.filter(([name]) => inPath.includes(name))
  const required = input.required ?? []
  const parameters = inQuery.map(([name, schema]) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: inPath.includes(name) || required.includes(name),
    schema,
  }))
  return {
    operationId: call.key.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase(),
    security: securityOf(call),
    ...(call.scope !== undefined && { 'x-scope': call.scope }),
    parameters: call.onceByKey === true ? [...parameters, idempotencyKeyHeader] : parameters,
    ...(method !== 'GET' && describeBody(input, inPath)),
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

/** `x-scope` says what a key needs; `session`: the token of a session alone. */
function securityOf({ auth, scope }: Call) {
  const shown = scope === 'session' || (auth === 'required' && scope === undefined) ? [{ bearer: [] }] : SHOWN_SOMEHOW
  return auth === 'required' ? shown : [{}, ...shown]
}

function describeBody(input: z.core.JSONSchema.JSONSchema, inPath: (string | undefined)[]) {
  const fields = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name))
  if (fields.length === 0) return {}
  const required = (input.required ?? []).filter((name) => !inPath.includes(name))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(required.length > 0 && { required }),
    ...(input.additionalProperties === false && { additionalProperties: false }),
  }
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } }
}
