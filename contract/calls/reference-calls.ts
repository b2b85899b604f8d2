import { z } from 'zod'
import { KEY_SCOPES } from '#contract/api-key.ts'
import { ANYBODY, type DeclaredCalls, nothing } from './call.ts'

const fieldSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'body']),
  required: z.boolean(),
  /** The field's type in TypeScript notation with its limits, such as `string 1…40` or `"a" | "b"`. */
  type: z.string(),
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
