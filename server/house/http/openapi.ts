import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import summaries from '#contract/words/calls-en.json' with { type: 'json' }
import { runWithoutYielding, runYielding } from '#server/house/jobs/run-yielding.ts'
import { type Call, splitKey } from './call.ts'
import { sendPacked } from './door/send-packed.ts'
import { IDEMPOTENCY_KEY_PATTERN } from './idempotency-key.ts'

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, or the token of a session. A key needs the scope that `x-scope` names; `session` refuses every key with 403. A key with play money makes those calls alone that `x-sandbox` marks, and those that need no account.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
}
const SHOWN_SOMEHOW = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

const SUMMARIES: Readonly<Record<string, string>> = summaries

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

/** Routes that are described by hand, by path and method, because a request or reply body is not JSON of ours. */
export type DescribedRoutes = Record<string, Record<string, object>>

export const OF_SESSIONS = { security: [{ bearer: [] }], 'x-scope': 'session' } as const
export const OF_READERS = { security: SHOWN_SOMEHOW, 'x-scope': 'read', 'x-sandbox': true } as const
export const REFUSED = {
  default: {
    description: 'Refused',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
}

export function registerOpenApi(
  app: FastifyInstance,
  calls: readonly Call[],
  routes: readonly DescribedRoutes[],
): void {
  let ready: Promise<Buffer> | undefined
  app.get('/api/openapi.json', async (request, reply) => {
    // The server's address in the document is relative, because every host of a zone serves the document.
    ready ??= describeAll(calls, routes)
    reply.header('cache-control', 'public, max-age=60')
    return sendPacked(reply, await ready, request.headers['accept-encoding'])
  })
}

async function describeAll(calls: readonly Call[], routes: readonly DescribedRoutes[]): Promise<Buffer> {
  const described = await runYielding(describeInPieces(calls))
  const paths = Object.assign({}, described.paths, ...routes)
  return Buffer.from(JSON.stringify({ ...described, servers: [{ url: '/' }], paths }))
}

export function describeCalls(calls: readonly Call[]) {
  return runWithoutYielding(describeInPieces(calls))
}

/** Describes the calls in steps, because all two hundred take a quarter of a second and would block the event loop. */
export function* describeInPieces(calls: readonly Call[]) {
  const schemas: Schemas = { Error: errorSchema }
  const paths: Record<string, Record<string, DescribedCall>> = {}
  for (const call of calls.filter(({ admit }) => admit === undefined)) {
    const { method, path } = splitKey(call.key)
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeCall(call, schemas) }
    yield
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ringpost', version: '1' },
    components: { securitySchemes, schemas },
    paths,
  }
}

type Schemas = Record<string, unknown>

export type DescribedCall = ReturnType<typeof describeCall>

/** Describes one call. Schemas that have a name are collected in `schemas`. */
function describeCall(call: Call, schemas: Schemas) {
  const { method, path } = splitKey(call.key)
  const { tag, name } = nameOf(method, path)
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
    tags: [tag],
    operationId: `${tag}_${name}`,
    summary: SUMMARIES[call.key] ?? '',
    security: securityOf(call),
    ...(call.scope !== undefined && { 'x-scope': call.scope }),
    ...(call.sandbox === true && { 'x-sandbox': true }),
    parameters: call.onceByKey === true ? [...parameters, idempotencyKeyHeader] : parameters,
    ...(method !== 'GET' && describeBody(input, inPath)),
    responses: {
      [call.status]: {
        description: 'Done',
        content: {
          [call.contentType ?? 'application/json']: { schema: describeReply(call.reply, schemas) },
        },
      },
      ...REFUSED,
    },
  }
}

export function toPlainSchema(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _of, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema
}

function describeReply(reply: z.ZodType, schemas: Schemas): unknown {
  const schema = toPlainSchema(reply, 'output')
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $defs, ...described } = JSON.parse(text) as { $defs?: Schemas }
  Object.assign(schemas, $defs)
  return described
}

const VERBS: Record<string, string> = { GET: 'get', POST: 'create', PATCH: 'change', DELETE: 'remove' }

/** Returns an operation's tag and name in generated clients, such as `activations` and `cancel`. */
function nameOf(method: string, path: string): { tag: string; name: string } {
  const [first = '', ...rest] = path.split('/').filter((part) => !['', 'api', 'v1'].includes(part))
  const isParameter = (part: string) => part.startsWith('{')
  const words = rest.filter((part) => !isParameter(part))
  const [before = '', last] = rest
  const isVerb = method === 'POST' && rest.length === 2 && isParameter(before) && last !== undefined
  const by = rest.findLastIndex((part) => !isParameter(part)) + 1
  const parts = isVerb ? [last] : [VERBS[method], ...words, ...(by < rest.length ? ['by', ...rest.slice(by)] : [])]
  return { tag: camelCase(first), name: camelCase(parts.join('-')) }
}

function camelCase(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+(.?)/g, (_all, letter: string) => letter.toUpperCase())
}

type DescribedBody = { required: boolean; content: { 'application/json': { schema: Schemas } } }

/** Describes who may make a call. `x-scope` is the API key's scope; `session` admits only session tokens. */
function securityOf({ auth, scope }: Call) {
  const shown = scope === 'session' || (auth === 'required' && scope === undefined) ? [{ bearer: [] }] : SHOWN_SOMEHOW
  return auth === 'required' ? shown : [{}, ...shown]
}

function describeBody(
  input: z.core.JSONSchema.JSONSchema,
  inPath: (string | undefined)[],
): { requestBody?: DescribedBody } {
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
