import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import { FILE_MAX_BYTES } from '#contract/support/support-constants.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { callerOf } from '#server/core/accounts/sign-in/caller-of.ts'
import { fileTooLarge, fileTooSlow } from '#server/core/support/support-errors.ts'
import type { Context } from '#server/house/context.ts'
import { notFound, unauthenticated } from '#server/house/errors/errors.ts'
import { refuseInMaintenance } from '#server/house/http/door/refuse-in-maintenance.ts'
import { sendError, toAppError } from '#server/house/http/error-reply.ts'
import { findFileOfMember } from '../queries/files.ts'
import { toFileRecord } from '../record.ts'
import { fileHeaders } from './file-headers.ts'
import { findFileForStaff } from './find-file-for-staff.ts'
import { takeFile, tidyName } from './take-file.ts'
import { beginDownload, beginUpload } from './transfer-limits.ts'

const idSchema = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** Registers the file routes. Session and limits are checked before a body is read, so that strangers cost little. */
export async function registerSupportFiles(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    const uploads = new WeakMap<FastifyRequest, { userId: number; arrived: () => void }>()
    scope.addHook('onRequest', refuseInMaintenance(ctx))
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FILE_MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const tooLarge = toAppError(error).code === 'BODY_TOO_LARGE'
      return sendError(ctx, request, reply, tooLarge ? fileTooLarge(nameOf(request)) : error)
    })
    scope.post<{ Body: Buffer | undefined }>(
      '/api/v1/support/files',
      {
        bodyLimit: FILE_MAX_BYTES,
        onRequest: async (request, reply) => {
          const userId = await signedIn(ctx, request)
          const holder = { userId, network: ctx.clients.networkOf(request.raw) }
          // The connection ends with the refusal, because the remaining body is not read.
          const refuse = () => {
            sendError(ctx, request, reply.header('connection', 'close'), fileTooSlow(nameOf(request)))
          }
          uploads.set(request, {
            userId,
            arrived: await beginUpload(ctx, holder, { request: request.raw, answer: reply.raw, onLate: refuse }),
          })
        },
      },
      async (request, reply) => {
        const upload = uploads.get(request)
        if (upload === undefined) throw unauthenticated()
        upload.arrived()
        const { userId } = upload
        const file = await takeFile(ctx, {
          userId,
          name: nameOf(request),
          claimed: request.headers['content-type'] ?? '',
          content: request.body ?? Buffer.alloc(0),
        })
        reply.code(201).header('cache-control', 'no-store')
        return { status: true, data: toFileRecord(file) }
      },
    )
    scope.get<{ Params: { id: string } }>('/api/v1/support/files/:id', async (request, reply) => {
      const userId = await signedIn(ctx, request)
      await beginDownload(ctx, { userId, network: ctx.clients.networkOf(request.raw) }, reply.raw)
      const id = idSchema.safeParse(request.params.id)
      const wanted = id.success ? { id: BigInt(id.data), userId } : null
      const file = wanted && ((await findFileOfMember(ctx.db, wanted)) ?? (await findFileForStaff(ctx, wanted)))
      if (file === null) throw notFound()
      return reply.headers(fileHeaders(file)).send(file.content)
    })
  })
}

async function signedIn(ctx: Context, request: FastifyRequest): Promise<number> {
  const caller = await callerOf(ctx, request, { admitsBlocked: true })
  if (caller.member === null) throw unauthenticated()
  return requireSession({ ...caller, member: caller.member }).userId
}

/** Returns the file name, which comes percent-encoded in a header, so that no access log contains it. */
function nameOf(request: FastifyRequest): string {
  const name = request.headers['file-name']
  if (typeof name !== 'string') return tidyName('')
  try {
    return tidyName(decodeURIComponent(name))
  } catch {
    return tidyName(name)
  }
}
