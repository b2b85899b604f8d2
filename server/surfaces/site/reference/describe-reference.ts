import type { ReferenceCall, ReferenceField, ReferenceReply } from '#contract/calls/reference-calls.ts'
import { INTERNAL_FIELD, type Locale } from '#contract/constants.ts'
import summariesRu from '#contract/words/calls-ru.json' with { type: 'json' }
import aboutEn from '#contract/words/fields-en.json' with { type: 'json' }
import aboutRu from '#contract/words/fields-ru.json' with { type: 'json' }
import type { Call } from '#server/house/http/call.ts'
import { type DescribedCall, describeCalls } from '#server/house/http/openapi.ts'
import { type ExampleField, exampleInput } from './example-input.ts'
import { isForPrograms } from './for-programs.ts'
import { refusalsOf } from './refusals.ts'
import answers from './replies.json' with { type: 'json' }
import { type Schemas, toSchema, typeOfInput, typeOfReply } from './type-words.ts'

type Field = ExampleField & Pick<ReferenceField, 'in'>

type ByName = Readonly<Record<string, string>>
const SUMMARIES_RU: ByName = summariesRu
/** The meanings of fields, by `operation.field` or, where a field means the same everywhere, by its name. */
const ABOUT: Readonly<Record<Locale, ByName>> = { en: aboutEn, ru: aboutRu }
const ANSWERS: Readonly<Record<string, unknown>> = answers

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
  const id = described.operationId
  const key = `${method.toUpperCase()} ${path}`
  const once = described.parameters.some((parameter) => parameter.in === 'header')
  return {
    id,
    summary: locale === 'ru' ? (SUMMARIES_RU[key] ?? '') : described.summary,
    // The cast is safe, because no API call has a method outside this type.
    method: method.toUpperCase() as ReferenceCall['method'],
    path,
    scope: scopeOf(described),
    once,
    fields: fields.map(({ schema, ...field }) => ({
      ...field,
      type: typeOfInput(schema),
      about: ABOUT[locale][`${id}.${field.name}`] ?? ABOUT[locale][field.name] ?? '',
    })),
    example: exampleInput(id, fields),
    status: Number(done?.[0]),
    reply: typeOfReply(toSchema(body?.schema), schemas),
    errors: refusalsOf({ key, onceByKey: once }),
    answer: id in ANSWERS ? JSON.stringify(ANSWERS[id], null, 2) : null,
  }
}

function fieldsOf({ parameters, requestBody }: DescribedCall): Field[] {
  const inAddress = parameters.flatMap(({ name, in: place, required, schema: described }): Field[] => {
    const schema = toSchema(described)
    if (place === 'header' || schema[INTERNAL_FIELD] === true) return []
    return [{ name, in: place === 'path' ? 'path' : 'query', required, schema }]
  })
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
