import { type Api, CallError, type Calls } from '#contract/calls.ts'

type SignIn = Calls['POST /api/login']

/** Signs in. While very many do, the server asks a stranger for a riddle first: it is solved without a word. */
export async function signIn(api: Api, login: SignIn['input']): Promise<SignIn['reply']> {
  try {
    return await api('POST /api/login', login)
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'CAPTCHA_FAILED') throw error
    const { solveCaptcha } = await import('./captcha.ts')
    const captcha = await solveCaptcha(api)
    if (captcha === null) throw error
    return api('POST /api/login', { ...login, captcha })
  }
}
