import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { DeclaredCall, Who } from '#contract/calls/call.ts'
import type { CallKey, Calls } from '#contract/calls/calls.ts'
import type { StaffRole } from '#contract/staff/staff-constants.ts'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { shownToOwner } from '#server/house/errors/buying-errors.ts'
import {
  AppError,
  blocked,
  type FieldErrors,
  keyForbidden,
  malformedBody,
  tooManyRequests,
  unauthenticated,
} from '#server/house/errors/errors.ts'
import { createRateLimit, rateLimitHeaders } from '#server/house/limits/rate-limit.ts'
import { markFresh, mayLagIf } from '#server/house/replica/fresh.ts'
import { contextOf, isSandbox, markSandboxReply } from '#server/house/sandbox.ts'
import { underId } from '#server/house/trace.ts'
import { anonymousCaller, type Caller, type CallerOf, countedAs, type MemberCaller } from './caller.ts'
import { encodingFor } from './door/content-encoding.ts'
import { aboutUser } from './door/refusals.ts'
import { refuseInMaintenance } from './door/refuse-in-maintenance.ts'
import { REQUEST_ID_HEADER } from './error-reply.ts'
import { invalidFrom } from './invalid-input.ts'
import { sendReady } from './ready/answer.ts'
import { answerFrom, type PackedReply, type Prepared, packReply } from './ready/pack-reply.ts'
import type { ReadyCache } from './ready/ready-cache.ts'
import { answerCallsInFront, type ReadyCalls } from './ready/ready-calls.ts'
import { tidyQuery, withoutEmpty } from './tidy-query.ts'

export type Wire = { request: FastifyRequest; reply: FastifyReply }

export type Call = Omit<Who, 'staff'> & {
  key: string
  input: z.ZodType
  reply: z.ZodType
  status: number
  contentType?: string
  onceByKey?: true
  /**
   * Throws, before the input is checked, if the caller may not make the API call. A call with this check is not
   * publicly documented.
   */
  admit?: Admit
  handle(ctx: Context, caller: Caller, input: never, wire?: Wire): Promise<unknown>
  /** Adds field errors of the call itself if the schema has already refused the input. */
  alsoWrong?: AlsoWrong
  prepare?(ctx: Context, caller: Caller, input: never): Promise<Prepared<unknown>>
}
type Admit = (ctx: Context, caller: Caller) => Promise<void>
type AlsoWrong = (raw: Record<string, unknown>) => FieldErrors

/** A route needs a constant of the contract, because the constant says who may make the call. */
type OfContract = DeclaredCall & { key: CallKey }
type OpenCall = OfContract & { who: { staff?: never } }
export type GuardedCall = OfContract & { who: { auth: 'required'; staff: readonly StaffRole[] } }

type CallerFor<D extends DeclaredCall> = D['who']['auth'] extends 'required' ? MemberCaller : Caller
export type Handle<D extends OfContract, Asker = CallerFor<D>> = (
  ctx: Context,
  caller: Asker,
  input: z.output<D['input']>,
  wire?: Wire,
) => Promise<Calls[D['key']]['reply']>
type Prepare<D extends OfContract> = (
  ctx: Context,
  caller: CallerFor<D>,
  input: z.output<D['input']>,
) => Promise<Prepared<Calls[D['key']]['reply']>>

export function route<D extends OpenCall>(declared: D, handle: Handle<D>, more: { alsoWrong?: AlsoWrong } = {}): Call {
  return toCall(declared, { ...more, handle })
}

/** Builds a call whose HTTP replies are cached as compressed bytes with an ETag. Calls in our process get objects. */
export function cachedRoute<D extends OpenCall>(declared: D, prepare: Prepare<D>): Call {
  const handle: Handle<D> = async (ctx, caller, input) => (await prepare(ctx, caller, input)).make()
  return toCall(declared, { handle, prepare })
}

export function guardedRoute<D extends GuardedCall>(declared: D, admit: Admit, handle: Handle<D, MemberCaller>): Call {
  return toCall(declared, { admit, handle })
}

type Verb = (ctx: Context, caller: never, input: never, wire?: Wire) => Promise<unknown>
type Verbs = Pick<Call, 'admit' | 'alsoWrong'> & {
  handle: Verb
  prepare?: (ctx: Context, caller: never, input: never) => Promise<Prepared<unknown>>
}

/**
 * Calls under `/api/v1` refuse unknown fields. Calls of the specification ignore them, because their clients send more.
 */
function toCall({ who: { staff: _roles, ...who }, ...declared }: DeclaredCall, verbs: Verbs): Call {
  const input = strictInput(declared.key, declared.input)
  // The cast is safe: `runCall` checks at run time what TypeScript cannot follow through a list of calls.
  return { status: 200, ...declared, ...who, ...(verbs as Pick<Call, keyof Verbs>), input }
}

function strictInput(key: string, input: z.ZodType): z.ZodType {
  return isOfOwnApi(key) && input instanceof z.ZodObject ? input.strict() : input
}

function isOfOwnApi(key: string): boolean {
  return key.includes(' /api/v1/')
}

export async function runCall(ctx: Context, call: Call, given: Caller, raw: unknown, wire?: Wire): Promise<unknown> {
  const caller = judgeBlocked(call, given)
  await call.admit?.(ctx, caller)
  return call.handle(ctx, caller, checkInput(call, caller, raw), wire)
}

/** Throws BLOCKED if a blocked caller may not make the API call; if it needs no account, returns a visitor instead. */
function judgeBlocked({ auth, admitsBlocked }: Call, caller: Caller): Caller {
  const { member } = caller
  if (member?.isBlocked !== true || admitsBlocked === true) return caller
  if (auth !== 'required') return { ...caller, member: null }
  throw aboutUser(blocked(), member.userId)
}

/**
 * Checks the caller and the input. The type `never` fits any handler, because the schema has parsed the input and
 * `route` ties `handle` to the schema.
 */
function checkInput(call: Call, caller: Caller, raw: unknown): never {
  if (call.auth === 'required' && caller.member === null) throw unauthenticated()
  if (isClosedToKey(call, caller)) throw aboutUser(keyForbidden(scopeOf(call)), caller.member?.userId)
  if (holdsNul(raw)) throw malformedBody()
  const given = isOfOwnApi(call.key) ? raw : withoutEmpty(raw)
  const parsed = call.input.safeParse(given, { reportInput: true })
  if (!parsed.success) throw invalidFrom(parsed.error, call.alsoWrong?.(toObject(raw)))
  return parsed.data as never
}

type Asked = Wire & { call: Call; caller: Caller; ready: ReadyCache; front: ReadyCalls; forgotten: number }

async function answer(ctx: Context, asked: Asked): Promise<FastifyReply> {
  const { call, request, reply, ready, front, forgotten, ...given } = asked
  const caller = judgeBlocked(call, given.caller)
  const raw = { ...tidyQuery(request.query), ...toObject(request.body), ...toObject(request.params) }
  await call.admit?.(ctx, caller)
  const checked = checkInput(call, caller, raw)
  const version = ready.version()
  const prepared = await call.prepare?.(ctx, caller, checked)
  // Only replies about the real catalogue are cached, because the sandbox has a catalogue of its own.
  if (typeof prepared?.cacheKey === 'string' && !isSandbox(ctx)) {
    const encoding = encodingFor(request.headers['accept-encoding'])
    const key = `call ${encoding} ${call.key} ${prepared.cacheKey}`
    const packed = await ready.take<PackedReply>(key, async () => ({
      entry: await packReply(prepared.make(), encoding, call.contentType),
      cachedMs: Number.POSITIVE_INFINITY,
    }))
    const whose = caller.member === null ? 'everybody' : 'member'
    const answer = answerFrom(packed, whose, request.headers['if-none-match'])
    front.remember(request, { key, version, answer, member: caller.member, forgotten })
    return sendReady(reply, answer)
  }
  const answer =
    prepared?.make() ??
    (await underId(request.id, () => call.handle(ctx, caller, checked, { request, reply }))
      .catch((error: unknown) => {
        throw error instanceof AppError ? aboutUser(error, caller.member?.userId) : error
      })
      .finally(() => {
        if (request.method === 'GET') return
        front.forget(request, caller.member)
        if ((caller.member?.key ?? null) === null) markFresh(ctx, reply)
      }))
  reply.headers({ 'cache-control': 'no-store', [REQUEST_ID_HEADER]: request.id })
  if (call.contentType !== undefined) reply.type(call.contentType)
  return reply.code(call.status).send(answer)
}

/** Records a call in the API key's call log, which its owner can read. `result` is an error code or OK. */
export type NoteKeyCall = (ctx: Context, call: { keyId: number; call: string; result: string; address: string }) => void

async function noted<T>(
  ctx: Context,
  { caller, call, noteKeyCall }: { caller: Caller; call: Call; noteKeyCall: NoteKeyCall },
  run: () => Promise<T>,
): Promise<T> {
  const { member, address } = caller
  if (member === null || member.key === null) return run()
  const { id: keyId } = member.key
  const note = (result: string) => noteKeyCall(ctx, { keyId, call: call.key, result, address })
  try {
    const answered = await run()
    note('OK')
    return answered
  } catch (error) {
    note(shownToOwner(error) ?? (error instanceof AppError ? error.code : 'SERVER_ERROR'))
    throw error
  }
}

function isClosedToKey({ auth, scope, sandbox }: Call, { member }: Caller): boolean {
  if (member === null || member.key === null) return false
  if (scope === undefined) return auth === 'required'
  if (member.key.sandbox && sandbox !== true) return true
  return scope === 'session' || !member.key.scopes.includes(scope)
}

function scopeOf({ scope }: Call) {
  return scope === undefined || scope === 'session' ? null : scope
}

export function splitKey(key: string): { method: string; path: string; url: string } {
  const [method = '', path = ''] = key.split(' ')
  return { method, path, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }
}

/**
 * Registers the calls. A call's input joins its path, query and body. Empty and null values count as absent, but under
 * `/api/v1` not in a body, where null may remove a setting.
 */
export function registerCalls(
  app: FastifyInstance,
  ctx: Context,
  input: { calls: readonly Call[]; callerOf: CallerOf; noteKeyCall: NoteKeyCall; ready: ReadyCache },
): void {
  const perSecond = ctx.config.apiRequestsPerSecond
  const perCaller = createRateLimit({ name: 'calls of a caller', burst: perSecond * 2, refillMs: SECOND / perSecond })
  const paths = new Set(input.calls.flatMap((call) => (call.prepare === undefined ? [] : splitKey(call.key).path)))
  const front = answerCallsInFront(app, ctx, { ready: input.ready, perCaller, paths })
  const onRequest = refuseInMaintenance(ctx)
  for (const call of input.calls) {
    const { method, url } = splitKey(call.key)
    app.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const { forgotten } = front
        const found =
          call.auth === 'none'
            ? anonymousCaller(ctx, request)
            : await input.callerOf(ctx, request, { admitsBlocked: true })
        const caller = mayLagIf(ctx, request, found)
        return noted(ctx, { caller, call, noteKeyCall: input.noteKeyCall }, async () => {
          const taken = await perCaller.take(ctx, limitedAs(caller))
          if (caller.member !== null) reply.headers(rateLimitHeaders(taken))
          const world = contextOf(ctx, caller.member)
          markSandboxReply(reply, world)
          if (!taken.isTaken) throw tooManyRequests(Math.ceil(taken.waitMs / SECOND))
          return answer(world, { call, caller, request, reply, ready: input.ready, front, forgotten })
        })
      },
    })
  }
}

/**
 * Returns the name under which the rate limit counts a caller. API keys are counted apart from their owner, so that a
 * flood by a stolen key cannot keep the owner from revoking it.
 */
function limitedAs({ member, network }: Caller): string {
  if (member === null) return network
  return member.key === null ? member.userId.toString() : `keys of ${countedAs(member)}`
}

/** Returns true if a value contains NUL, which PostgreSQL cannot store. Schemas refuse values nested too deeply. */
function holdsNul(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null || depth > 3) return false
  return Object.values(value).some((inner) => holdsNul(inner, depth + 1))
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
