import type { Schema } from './type-words.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const KNOWN: Readonly<Record<string, Json>> = {
  service_id: 'tg',
  country_id: 2,
  id: 1,
  delivery: 1,
  max_price: '20.00',
  amount: '500.00',
  hours: 24,
  wait: 30,
  overlap_hours: 24,
  items: [
    { service_id: 'tg', country_id: 2 },
    { service_id: 'wa', country_id: 2 },
  ],
  label: 'Shop',
  url: 'https://shop.example/hook',
  on: false,
  system: 'cryptobot',
  transaction_id: '7f0d1f5e-5a5e-4b39-9d1d-2b6a6a3f4c11',
  code: 'GIFT-2026',
}

const ALSO_SHOWN: Readonly<Record<string, readonly string[]>> = {
  activations_create: ['max_price'],
  activations_getById: ['wait'],
  webhooks_changeById: ['on'],
}

export type ExampleField = { name: string; required: boolean; schema: Schema }

export function exampleInput(id: string, fields: readonly ExampleField[]): Record<string, Json> {
  const shown = fields.filter(({ name, required }) => required || ALSO_SHOWN[id]?.includes(name))
  return Object.fromEntries(shown.map(({ name, schema }) => [name, KNOWN[name] ?? plainValue(schema)]))
}

function plainValue(schema: Schema): Json {
  const [first] = schema.enum ?? []
  if (typeof first === 'string' || typeof first === 'number') return first
  return schema.type === 'string' ? 'text' : (schema.minimum ?? 1)
}
