import type { Answer } from './answer.ts'

/**
 * The actions whose replies get the field `sandbox`. Maps get no such field, because it would pass for a service or
 * country.
 */
const RECORDS: ReadonlySet<string> = new Set([
  'getNumberV2',
  'getExtraActivation',
  'reactivate',
  'setStatusV2',
  'getStatusV2',
  'getAllSms',
  'getOrder',
  'getActiveActivations',
  'getCurrentActivations',
  'getBalance',
  'getBalanceAndCashBack',
  'getRentNumber',
  'getRentStatus',
  'setRentStatus',
  'getRentList',
  'getRentOrder',
  'getRentExtension',
  'continueRentNumber',
  'prolong',
])

/** Marks a JSON reply of the sandbox. Plain texts stay unchanged, because a header marks them. */
export function markSandbox(action: string, answer: Answer): Answer {
  if (answer.kind !== 'json' || typeof answer.json !== 'string' || !RECORDS.has(action)) return answer
  const { older } = answer
  return { ...answer, json: marked(answer.json), ...(older !== undefined && { older: marked(older) }) }
}

function marked(json: string): string {
  if (!json.startsWith('{')) return json
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}"sandbox":true}`
}
