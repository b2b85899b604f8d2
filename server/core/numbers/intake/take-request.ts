import { createHash, timingSafeEqual } from 'node:crypto'
import { MINUTE, SECOND } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Intake, IntakeAnswer, IntakeRequest } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, notFound } from '#server/house/errors/errors.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { tellNodesTogether } from '#server/house/news/tell.ts'
import { processRequest } from './process-request.ts'
import { insertRefusedRequest, storeRequest } from './queries/requests.ts'

/** The rate limits of requests without a valid signature. A week of such requests takes below 100 MiB. */
const forgedPerNetwork = createRateLimit({ name: 'forged messages of a network', burst: 30, refillMs: 2 * MINUTE })
const forgedOfAll = createRateLimit({ name: 'forged messages', burst: 300, refillMs: 10 * SECOND })
/**
 * The rate limit of a supplier's valid requests. A bank of 500 SIM cards stays below it, and sends refused requests
 * again.
 */
const genuine = createRateLimit({ name: 'messages of a supplier', burst: 1_000, refillMs: 20 })
const ALL = 'all'
/** The length of a refused request's body that is stored, enough to recognise the sender. */
const KEPT_BODY_BYTES = 1_024
/** Matches the headers that are stored. Passwords and tokens are not stored, because they were checked already. */
const KEPT_HEADERS = /^(?:content-type|user-agent|[a-z0-9-]*timestamp)$/
const KEPT_HEADER_LENGTH = 200

export type SentRequest = IntakeRequest & { code: string; key: string; address: string; network: string }

/**
 * Stores a genuine request that a supplier sends with an SMS, and returns the reply. The request is processed in the
 * background. A replayed request gets the same reply but has no effect. Throws NOT_FOUND, FORBIDDEN or
 * TOO_MANY_REQUESTS.
 */
export async function takeRequest(ctx: Context, sent: SentRequest): Promise<IntakeAnswer> {
  const supplier = suppliersOf(ctx)
    .all()
    .find(({ code }) => code === sent.code)
  if (supplier?.intake === undefined || !isKey(supplier.intake, sent.key)) throw notFound()
  const { id: supplierId, intake } = supplier
  const { code: _code, key: _key, network, ...request } = sent
  const verdict = intake.verify(request)
  const body = ('body' in verdict ? verdict.body : undefined) ?? sent.body
  const kept = { ...request, body, supplierId, query: queryOf(sent.url), headers: keptHeaders(sent.headers) }
  if (!verdict.genuine) {
    await forgedPerNetwork.spend(ctx, network)
    await forgedOfAll.spend(ctx, ALL)
    const query = kept.query.slice(0, KEPT_BODY_BYTES)
    const { reason, answer } = verdict
    await insertRefusedRequest(ctx.db, { ...kept, query, body: body.subarray(0, KEPT_BODY_BYTES), reason })
    if (answer !== undefined) return answer
    throw forbidden()
  }
  await genuine.spend(ctx, String(supplierId))
  if ('answer' in verdict) return verdict.answer
  const instead = await intake.intercept?.({ ...request, body })
  if (instead != null) return instead
  const id = await storeRequest(ctx.db, { ...kept, onceKey: verdict.once })
  if (id === null) return intake.answer
  // A single node reads the requests of a supplier, so that messages of a number keep their order. Others tell it.
  if (suppliersOf(ctx).receives(supplierId)) {
    ctx.background.run('read a request of a sender', () => processRequest(ctx, { ...kept, id, tries: 0 }))
  } else tellNodesTogether(ctx, { kind: 'request-stored', supplierId })
  return intake.answer
}

/** Compares the secret key in the webhook's URL in constant time, for keys of any length. */
function isKey(intake: Intake, shown: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(intake.key))
}

/** Returns the query of a webhook's URL. The path of the URL is not stored, because it contains the secret key. */
function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, KEPT_HEADER_LENGTH)]))
}
