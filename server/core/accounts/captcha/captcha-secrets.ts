import { hkdfSync } from 'node:crypto'
import type { Context } from '#server/house/context.ts'

export type CaptchaSecrets = { hmacSignatureSecret: string; hmacKeySignatureSecret: string }

export function captchaSecrets(ctx: Context): [CaptchaSecrets, ...CaptchaSecrets[]] {
  return [secretsFrom(ctx.secrets.secretKey), ...ctx.secrets.previousSecretKeys.map(secretsFrom)]
}

function secretsFrom(secretKey: string): CaptchaSecrets {
  return {
    hmacSignatureSecret: derive(secretKey, 'challenge'),
    hmacKeySignatureSecret: derive(secretKey, 'key'),
  }
}

function derive(secretKey: string, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `ringpost: captcha ${purpose}`, 32)).toString('hex')
}
