import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { parseJson } from '#server/adapters/shared/resold/wire/parse-json.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'

/** `word` is a text's first word, or the name in an error object. `rest` is the text after the first colon. */
export type Reply = { status: number; text: string; word: string | null; rest: string; json: unknown }

const WORD = /^[A-Z][A-Z0-9_]{1,60}(?=$|[:\s])/

export async function readReply(status: number, body: string): Promise<Reply> {
  const text = body.replace(/^\uFEFF/, '').trim()
  const json = /^[[{]/.test(text) ? await parse(text) : undefined
  const word = json === undefined ? wordOfText(text) : wordOf(json)
  const colon = text.indexOf(':')
  return { status, text, word, rest: json === undefined && colon !== -1 ? text.slice(colon + 1) : '', json }
}

/** GrizzlySMS writes this refusal as a sentence. */
function wordOfText(text: string): string | null {
  if (/^the service is prohibited/i.test(text)) return 'SERVICE_PROHIBITED'
  return WORD.exec(text)?.[0] ?? null
}

async function parse(text: string): Promise<unknown> {
  try {
    return await runYielding(parseJson(text))
  } catch {
    return undefined
  }
}

function wordOf(json: unknown): string | null {
  if (!isRecord(json)) return null
  const { title, message, msg, error, errorMsg } = json
  const isFailure = 'title' in json || ['error', 'false', 'fail'].includes(String(json.status)) || 'error' in json
  if (!isFailure) return null
  const named = [title, message, msg, error, errorMsg].find((value) => typeof value === 'string')
  if (typeof named !== 'string') return null
  return WORD.exec(named.trim().toUpperCase().replaceAll(/\s+/g, '_'))?.[0] ?? null
}
