import type { Challenge, Payload, Solution } from 'altcha-lib/types'
import type { Api } from '#contract/calls/calls.ts'

/** Solves a captcha; null on failure. The altcha widget has 220 KB, and our content security policy blocks it. */
export async function solveCaptcha(api: Api): Promise<string | null> {
  // The server makes the challenge with altcha-lib, so the type of altcha-lib is right.
  const { parameters, signature } = (await api('GET /api/v1/captcha', {})) as Partial<Challenge>
  if (parameters === undefined || signature === undefined) return null
  const challenge = { parameters, signature }
  const solution = await solve(challenge)
  if (solution === null) return null
  const payload: Payload = { challenge, solution }
  return btoa(JSON.stringify(payload))
}

function solve(challenge: Challenge): Promise<Solution | null> {
  const worker = new Worker(new URL('./captcha-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Solution | null>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | null>) => resolve(data))
    worker.addEventListener('error', () => resolve(null))
    worker.postMessage(challenge)
  }).finally(() => worker.terminate())
}
