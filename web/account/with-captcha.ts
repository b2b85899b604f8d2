import { type Api, CallError } from '#contract/calls/calls.ts'

type Solved = { captcha?: string }

/** Sends a form. After the error CAPTCHA_FAILED, solves a captcha in the background and sends the form again. */
export async function withCaptcha<T>(api: Api, send: (solved: Solved) => Promise<T>): Promise<T> {
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
