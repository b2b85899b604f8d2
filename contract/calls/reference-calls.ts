import { z } from 'zod'
import { KEY_SCOPES } from '#contract/api-key.ts'
import { ANYBODY, type DeclaredCalls, nothing } from './call.ts'

const fieldSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'body']),
  required: z.boolean(),
  /** The field's type in TypeScript notation with its limits, such as `string 1…40` or `"a" | "b"`. */
  type: z.string(),
  /** The field's meaning; empty if its name says so. */
  about: z.string(),
})
export type ReferenceField = z.infer<typeof fieldSchema>

const callSchema = z.object({
  id: z.string(),
  summary: z.string(),
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  path: z.string(),
  /** The scope that an API key needs; null if everybody may make the call. */
  scope: z.enum(KEY_SCOPES).nullable(),
  /** True if the call accepts the header Idempotency-Key. */
  once: z.boolean(),
  fields: z.array(fieldSchema),
  /** Example values by field name. A request with these values passes validation. */
  example: z.record(z.string(), z.unknown()),
  status: z.number().int(),
  /** The type of the call's reply in TypeScript notation. */
  reply: z.string(),
  /** The codes of the errors of this call, without those of every call. */
  errors: z.array(z.string()),
  /** A reply that was recorded from the running service; null if none was. */
  answer: z.string().nullable(),
})
export type ReferenceCall = z.infer<typeof callSchema>

export const referenceReplySchema = z.object({
  status: z.literal(true),
  data: z.array(z.object({ tag: z.string(), calls: z.array(callSchema) })),
})
export type ReferenceReply = z.infer<typeof referenceReplySchema>

const partSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  fields: z.array(z.object({ name: z.string(), required: z.boolean(), about: z.string() })),
  /** The words by which the protocol refuses this call. */
  words: z.array(z.string()),
  /** The request; null if the part has another example, or none. The address and the headers may contain `{key}`. */
  request: z
    .object({
      method: z.string(),
      address: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.record(z.string(), z.unknown()).nullable(),
    })
    .nullable(),
  /** A program that no request describes: the check of a webhook, or a listener of live events. */
  program: z.enum(['verify', 'listen']).nullable(),
  answer: z.string().nullable(),
})
export type ProtocolPart = z.infer<typeof partSchema>

export const PROTOCOLS = ['handler-api', 'five-sim', 'webhooks', 'live'] as const
export type ProtocolName = (typeof PROTOCOLS)[number]

const protocolReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    title: z.string(),
    description: z.string(),
    /** Paragraphs about the whole protocol. */
    text: z.array(z.string()),
    /** The protocol whose words the page of errors lists; null if this one has none. */
    words: z.enum(['handler-api', 'five-sim']).nullable(),
    parts: z.array(partSchema),
  }),
})
export type ProtocolReply = z.infer<typeof protocolReplySchema>

const errorSchema = z.object({
  code: z.string(),
  status: z.number().int(),
  /** The sentences that `message` may have. */
  sentences: z.array(z.string()),
  /** The advice to a program, or to its maker. */
  remedy: z.string(),
  /** Which calls give it: every call, the calls of `calls`, or only calls of the site itself. */
  from: z.enum(['every', 'some', 'site']),
  calls: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type ListedError = z.infer<typeof errorSchema>

const wordSchema = z.object({ word: z.string(), remedy: z.string(), codes: z.array(z.string()) })

const errorsReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    errors: z.array(errorSchema),
    protocols: z.array(z.object({ name: z.enum(['handler-api', 'five-sim']), words: z.array(wordSchema) })),
  }),
})
export type ErrorsReply = z.infer<typeof errorsReplySchema>

export const reference = {
  list: { key: 'GET /api/v1/reference', who: ANYBODY, input: nothing, reply: referenceReplySchema },
  protocol: {
    key: 'GET /api/v1/reference/protocols/{name}',
    who: ANYBODY,
    input: z.object({ name: z.enum(PROTOCOLS) }),
    reply: protocolReplySchema,
  },
  errors: { key: 'GET /api/v1/reference/errors', who: ANYBODY, input: nothing, reply: errorsReplySchema },
} as const satisfies DeclaredCalls
