import type { Challenge, Payload, Solution } from 'altcha-lib/types'
import type { Api } from '#contract/calls/calls.ts'

/**
 * The invisible captcha: a riddle of this server, solved by the browser without a word. Returns what the registration is
 * sent with; null when it could not be solved, about which the server has words. The altcha widget itself is not used:
 * nothing of it is seen, it is 220 KB, and its ready build makes style elements and blob workers, which our pages refuse.
 */
export async function solveCaptcha(api: Api): Promise<string | null> {
  // The server makes it by altcha-lib, whose type this is.
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
