import type { z } from 'zod'
import { type DescribedRoutes, OF_READERS, REFUSED, toPlainSchema } from '#server/house/http/openapi.ts'
import { channelSchema, socketSchema } from './fields.ts'

export const describedBroadcasting: DescribedRoutes = {
  '/broadcasting/auth': {
    post: describe({
      operationId: 'broadcasting_createAuth',
      summary: 'Sign a private channel for a socket',
      input: channelSchema,
      signed: ['auth'],
    }),
  },
  '/broadcasting/user-auth': {
    post: describe({
      operationId: 'broadcasting_createUserAuth',
      summary: 'Sign a socket in as its user',
      input: socketSchema,
      signed: ['auth', 'user_data'],
    }),
  },
}

type Signing = { operationId: string; summary: string; input: z.ZodType; signed: readonly string[] }

function describe({ operationId, summary, input, signed }: Signing) {
  const body = { schema: toPlainSchema(input, 'input') }
  const properties = Object.fromEntries(signed.map((name) => [name, { type: 'string' }]))
  const answer = { schema: { type: 'object', required: signed, properties } }
  return {
    tags: ['broadcasting'],
    operationId,
    summary,
    ...OF_READERS,
    parameters: [],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': body, 'application/json': body },
    },
    responses: { 200: { description: 'Done', content: { 'application/json': answer } }, ...REFUSED },
  }
}
