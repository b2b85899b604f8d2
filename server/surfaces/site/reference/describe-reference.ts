import type { ReferenceCall, ReferenceField, ReferenceReply } from '#contract/calls/reference-calls.ts'
import type { Locale } from '#contract/constants.ts'
import summariesRu from '#contract/words/calls-ru.json' with { type: 'json' }
import type { Call } from '#server/house/http/call.ts'
import { type DescribedCall, describeCalls } from '#server/house/http/openapi.ts'
import { type ExampleField, exampleInput } from './example-input.ts'
import { isForPrograms } from './for-programs.ts'
import { type Schemas, toSchema, typeOfInput, typeOfReply } from './type-words.ts'

type Field = ExampleField & Pick<ReferenceField, 'in'>

const SUMMARIES_RU: Readonly<Record<string, string>> = summariesRu

/** Lists the calls that programs can use, grouped by the first part of the path, in the order of the list of calls. */
export function describeReference(calls: readonly Call[], locale: Locale): ReferenceReply {
  const byTag = new Map<string, ReferenceCall[]>()
  const { paths, components } = describeCalls(calls.filter(isForPrograms))
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const [tag = ''] = described.tags
      const inTag = byTag.get(tag) ?? []
      byTag.set(tag, inTag)
      inTag.push(toReference({ method, path, described, locale }, components.schemas))
    }
  }
  return { status: true, data: [...byTag].map(([tag, inTag]) => ({ tag, calls: inTag })) }
}

type Described = { method: string; path: string; described: DescribedCall; locale: Locale }

function toReference({ method, path, described, locale }: Described, schemas: Schemas): ReferenceCall {
  const fields = fieldsOf(described)
  const [done] = Object.entries(described.responses)
  const [body] = Object.values(done?.[1].content ?? {})
  return {
    id: described.operationId,
    summary: locale === 'ru' ? (SUMMARIES_RU[`${method.toUpperCase()} ${path}`] ?? '') : described.summary,
    // The cast is safe, because no API call has a method outside this type.
    method: method.toUpperCase() as ReferenceCall['method'],
    path,
    scope: scopeOf(described),
    once: described.parameters.some((parameter) => parameter.in === 'header'),
    fields: fields.map(({ schema, ...field }) => ({ ...field, type: typeOfInput(schema) })),
    example: exampleInput(described.operationId, fields),
    status: Number(done?.[0]),
    reply: typeOfReply(toSchema(body?.schema), schemas),
  }
}

function fieldsOf({ parameters, requestBody }: DescribedCall): Field[] {
  const inAddress = parameters.flatMap(({ name, in: place, required, schema }): Field[] =>
    place === 'header' ? [] : [{ name, in: place === 'path' ? 'path' : 'query', required, schema: toSchema(schema) }],
  )
  const body = toSchema(requestBody?.content['application/json'].schema)
  const inBody = Object.entries(body.properties ?? {}).map(
    ([name, schema]): Field => ({
      name,
      in: 'body',
      required: body.required?.includes(name) === true,
      schema: toSchema(schema),
    }),
  )
  return [...inAddress, ...inBody]
}

function scopeOf({ 'x-scope': scope }: DescribedCall): ReferenceCall['scope'] {
  return scope === undefined || scope === 'session' ? null : scope
}
