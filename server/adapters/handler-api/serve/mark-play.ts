import type { Answer } from './answer.ts'

/** Whose objects are records. Others are maps of services or countries, where programs would take a mark for one more. */
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

/** Words stay as programs read them: the header says it there. */
export function markPlay(action: string, answer: Answer): Answer {
  if (answer.kind !== 'json' || typeof answer.json !== 'string' || !RECORDS.has(action)) return answer
  const { older } = answer
  return { ...answer, json: marked(answer.json), ...(older !== undefined && { older: marked(older) }) }
}

function marked(json: string): string {
  if (!json.startsWith('{')) return json
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}"sandbox":true}`
}
