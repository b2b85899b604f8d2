import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import { READABLE } from '#server/core/accounts/api-keys/cross-origin.ts'
import { rememberedMember } from '#server/core/accounts/api-keys/member-by-key.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { type Encoding, encodingFor, etagOf, isKnown } from '#server/house/http/door/content-encoding.ts'
import { isLong, pack } from '#server/house/http/door/send-packed.ts'
import { transportSecurity } from '#server/house/http/door/transport-security.ts'
import { type ReadyAnswer, sendReady } from '#server/house/http/ready/answer.ts'
import { answerInFront } from '#server/house/http/ready/front.ts'
import type { RateLimit, Taken } from '#server/house/limits/rate-limit.ts'
import { type PlainCall, readPlainCall } from './plain-call.ts'

/** Caches whole lists. Their bytes are equal for callers of one currency and dialect until the catalogue changes. */
export type CachedLists = {
  /** Sends the bytes and caches them under `name`, unless `name` is null. */
  send(reply: FastifyReply, asked: Asked, bytes: Buffer): Promise<FastifyReply>
  nameOf(list: { action: string; dialect: string; member: Member }): string
}
type Asked = { name: string | null; headers: IncomingMessage['headers'] }

type Kept = { etag: string; whole: ReadyAnswer; known: ReadyAnswer }

/** The last cached reply to a call, and its caller. Building the cache key would cost more than all other checks. */
type Last = { member: Member; encoding: Encoding; version: string; found: Kept }

/** Answers repeated requests for whole lists without Fastify, which costs more, if the API key is in memory. */
export function createCachedLists(app: FastifyInstance, ctx: Context, limit: RateLimit): CachedLists {
  const everyReply = { 'x-content-type-options': 'nosniff', ...transportSecurity(ctx.config) }
  let version = ''
  const kept = new Map<string, Kept>()
  const lasts = new WeakMap<PlainCall, Last>()
  const versionNow = versionOf(ctx)
  const nameOf: CachedLists['nameOf'] = ({ action, dialect, member }) =>
    `${versionNow()} ${member.currency} ${dialect} ${action}`
  answerInFront(app, (request) => {
    const asked = readPlainCall(request)
    if (asked === undefined || asked.id !== undefined) return undefined
    const address = ctx.clients.addressOf(request)
    const now = ctx.clock.now()
    const member = rememberedMember(ctx, { name: asked.keyName, address, now })
    if (member?.key == null || member.key.sandbox || !member.key.scopes.includes('read')) return undefined
    const encoding = encodingFor(request.headers['accept-encoding'])
    const found = find(asked, member, encoding)
    if (found === undefined) return undefined
    const { id } = member.key
    const send = ({ isTaken }: Taken) => {
      if (!isTaken) return undefined
      keyCallLogOf(ctx).note(id, { call: asked.action, result: 'OK', address, now })
      ctx.metrics.cachedReplies.count += 1
      return isKnown(found.etag, request.headers['if-none-match']) ? found.known : found.whole
    }
    const taking = limit.take(ctx, `user ${member.userId}`)
    return taking instanceof Promise ? taking.then(send) : send(taking)
  })
  function find(asked: PlainCall, member: Member, encoding: Encoding): Kept | undefined {
    const now = versionNow()
    const last = lasts.get(asked)
    if (last?.member === member && last.encoding === encoding && last.version === now) return last.found
    const dialect = asked.spoken ?? member.key?.dialect ?? 'union'
    const found = kept.get(`${encoding} ${nameOf({ action: asked.action, dialect, member })}`)
    if (found !== undefined) lasts.set(asked, { member, encoding, version: now, found })
    return found
  }
  return {
    nameOf,
    async send(reply, { name, headers }, bytes) {
      const encoding = isLong(bytes) ? encodingFor(headers['accept-encoding']) : 'identity'
      const body = encoding === 'identity' ? bytes : await pack(bytes, encoding)
      const etag = tagOf(bytes)
      const { whole, known } = answersOf({ etag, body, encoding, isPacked: isLong(bytes) })
      if (version !== versionNow()) {
        kept.clear()
        version = versionNow()
      }
      // The name contains the version of the catalogue, so an outdated reply is not cached.
      if (name?.startsWith(`${version} `) === true) {
        const front = (answer: ReadyAnswer) => ({
          ...answer,
          headers: { ...answer.headers, ...READABLE, ...everyReply },
        })
        const made = { etag, whole: front(whole), known: front(known) }
        kept.set(`${encodingFor(headers['accept-encoding'])} ${name}`, made)
      }
      return sendReady(reply, isKnown(etag, headers['if-none-match']) ? known : whole)
    },
  }
}

function versionOf(ctx: Context): () => string {
  const catalog = catalogOf(ctx)
  const rentCatalog = rentCatalogOf(ctx)
  let made = { numbers: -1, rents: -1, text: '' }
  return () => {
    const { version: numbers } = catalog
    const { version: rents } = rentCatalog
    if (made.numbers !== numbers || made.rents !== rents) made = { numbers, rents, text: `${numbers}.${rents}` }
    return made.text
  }
}

type Packed = { etag: string; body: Buffer; encoding: Encoding; isPacked: boolean }

function answersOf({ etag, body, encoding, isPacked }: Packed): { whole: ReadyAnswer; known: ReadyAnswer } {
  const checked = { etag, 'cache-control': 'private, no-cache', ...(isPacked && { vary: 'Accept-Encoding' }) }
  const headers = {
    ...checked,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  }
  return { whole: { status: 200, headers, body }, known: { status: 304, headers: checked, body: null } }
}

const tags = new WeakMap<Buffer, string>()

function tagOf(bytes: Buffer): string {
  const known = tags.get(bytes)
  if (known !== undefined) return known
  const made = etagOf(bytes)
  tags.set(bytes, made)
  return made
}
