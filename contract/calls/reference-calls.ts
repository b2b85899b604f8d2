import { z } from 'zod'
import { KEY_SCOPES } from '#contract/api-key.ts'
import { ANYBODY, type DeclaredCalls, nothing } from './call.ts'

const fieldSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'body']),
  required: z.boolean(),
  /** As TypeScript writes it, with its limits: `string 1…40`, `"a" | "b"`. */
  type: z.string(),
})
export type ReferenceField = z.infer<typeof fieldSchema>

const callSchema = z.object({
  /** The operation's id in the OpenAPI document. */
  id: z.string(),
  /** In the language of the caller. */
  summary: z.string(),
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  path: z.string(),
  /** What a key needs; null: the call is for everybody. */
  scope: z.enum(KEY_SCOPES).nullable(),
  /** It takes the header Idempotency-Key. */
  once: z.boolean(),
  fields: z.array(fieldSchema),
  /** Values of fields, by name. A call with them is well-formed. */
  example: z.record(z.string(), z.unknown()),
  status: z.number().int(),
  /** The type of its answer, as TypeScript writes it. */
  reply: z.string(),
})
export type ReferenceCall = z.infer<typeof callSchema>

export const referenceReplySchema = z.object({
  status: z.literal(true),
  data: z.array(z.object({ tag: z.string(), calls: z.array(callSchema) })),
})
export type ReferenceReply = z.infer<typeof referenceReplySchema>

export const reference = {
  list: { key: 'GET /api/v1/reference', who: ANYBODY, input: nothing, reply: referenceReplySchema },
} as const satisfies DeclaredCalls
