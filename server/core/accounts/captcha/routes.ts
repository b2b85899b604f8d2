import { z } from 'zod'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { makeCaptcha } from './make-captcha.ts'

export const captchaCalls: Call[] = [
  defineCall('GET /api/v1/captcha', {
    auth: 'none',
    input: z.object({}),
    reply: z.record(z.string(), z.unknown()),
    handle: (ctx) => makeCaptcha(ctx),
  }),
]
