import { z } from 'zod'
import { doneSchema } from '#contract/account.ts'
import { dataFileInputSchema, dataFileSchema, deletionInputSchema, privacySchema } from '#contract/privacy.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { agreeToCurrent } from './consents/queries.ts'
import { askDeletion, cancelDeletion } from './deletion/ask-deletion.ts'
import { askExport } from './export/ask-export.ts'
import { sendExport } from './export/send-export.ts'
import { getPrivacy } from './get-privacy.ts'

const nothing = z.object({})

export const privacyCalls: Call[] = [
  defineCall('GET /api/v1/privacy', {
    auth: 'required',
    scope: 'session',
    input: nothing,
    reply: privacySchema,
    handle: (ctx, caller) => getPrivacy(ctx, requireSession(caller)),
  }),
  defineCall('POST /api/v1/privacy/export', {
    auth: 'required',
    scope: 'session',
    input: nothing,
    reply: doneSchema,
    handle: doneBySession(askExport),
  }),
  defineCall('GET /api/v1/privacy/exports/{id}/file', {
    auth: 'required',
    scope: 'session',
    input: dataFileInputSchema,
    reply: dataFileSchema,
    contentType: 'application/zip',
    handle: sendExport,
  }),
  defineCall('POST /api/v1/privacy/deletion', {
    auth: 'required',
    scope: 'session',
    input: deletionInputSchema,
    reply: doneSchema,
    handle: doneBySession(askDeletion),
  }),
  defineCall('DELETE /api/v1/privacy/deletion', {
    auth: 'required',
    scope: 'session',
    input: nothing,
    reply: doneSchema,
    handle: doneBySession(cancelDeletion),
  }),
  defineCall('POST /api/v1/privacy/consent', {
    auth: 'required',
    scope: 'session',
    input: nothing,
    reply: doneSchema,
    handle: doneBySession((ctx, { userId }) => agreeToCurrent(ctx.db, { userId, now: ctx.clock.now() })),
  }),
]
