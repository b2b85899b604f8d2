import { type Api, CallError } from '#contract/calls/calls.ts'

type Solved = { captcha?: string }

/** Sends a form of strangers. While very many do, the server asks for a riddle first: it is solved without a word. */
export async function withRiddle<T>(api: Api, send: (solved: Solved) => Promise<T>): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'CAPTCHA_FAILED') throw error
    const { solveCaptcha } = await import('./captcha.ts')
    const captcha = await solveCaptcha(api)
    if (captcha === null) throw error
    return send({ captcha })
  }
}
