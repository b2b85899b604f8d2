import type { IncomingMessage, ServerResponse } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'

export const BANK_KEY = 'a-protocol-key-of-tests'

type Body = Record<string, unknown>
export type Sold = { activationId: number; number: number; service: string; told: number[] }
type Answer = Body | string | { hang: true } | { cut: true } | { httpStatus: number; text: string }

/** Plays a SIM bank that behaves as the test sets, and complains about forbidden requests. */
export type BankHouse = AsyncDisposable & {
  url: string
  free: number[]
  services: string[]
  operator: string
  /** The stock that the bank declares, or undefined for the true stock. */
  declared: number | undefined
  readonly sold: Sold[]
  readonly asked: Body[]
  readonly complaints: string[]
  /** Returns an answer in place of the bank's own, or undefined to keep the bank's own. */
  onAsk: (action: string, body: Body, honest: () => Body) => Promise<Answer | undefined> | Answer | undefined
}

export async function openBankHouse(
  numbers: readonly number[] = [77010000001, 77010000002, 77010000003],
): Promise<BankHouse> {
  const house: Omit<BankHouse, 'url' | typeof Symbol.asyncDispose> = {
    free: [...numbers],
    services: ['tg', 'wa'],
    operator: 'altel',
    declared: undefined,
    sold: [],
    asked: [],
    complaints: [],
    onAsk: () => undefined,
  }
  const server = await listenOnLoopback((request, response) => {
    serve(house, request, response).catch((error: unknown) => house.complaints.push(String(error)))
  })
  return Object.assign(house, server)
}

type House = Omit<BankHouse, 'url' | typeof Symbol.asyncDispose>

async function serve(house: House, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(house, request)
  house.asked.push(body)
  const action = String(body.action)
  const honest = () => answerOf(house, action, body)
  const answer = (await house.onAsk(action, body, honest)) ?? honest()
  if (typeof answer === 'object' && 'hang' in answer) return
  if (typeof answer === 'object' && 'cut' in answer) {
    response.socket?.destroy()
    return
  }
  if (typeof answer === 'object' && 'httpStatus' in answer) {
    response.writeHead(Number(answer.httpStatus), { 'content-type': 'text/html' }).end(answer.text)
    return
  }
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(text))
}

async function readBody(house: House, request: IncomingMessage): Promise<Body> {
  const complain = (of: string) => house.complaints.push(of)
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { headers, method } = request
  if (method !== 'POST') complain(`method ${method}`)
  if (headers['user-agent'] === undefined) complain('no user-agent')
  if (headers['content-encoding'] !== 'gzip') complain('a body without gzip')
  const raw = Buffer.concat(parts)
  const body = JSON.parse((headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString('utf8')) as Body
  if (body.key !== BANK_KEY) complain(`key ${String(body.key)}`)
  return body
}

function answerOf(house: House, action: string, body: Body): Body {
  switch (action) {
    case 'GET_SERVICES': {
      const counts = Object.fromEntries(house.services.map((code) => [code, house.declared ?? house.free.length]))
      return { countryList: [{ country: 'kazakhstan', operatorMap: { [house.operator]: counts } }], status: 'SUCCESS' }
    }
    case 'GET_NUMBER':
      return sell(house, body)
    case 'FINISH_ACTIVATION':
      return finish(house, body)
    default:
      house.complaints.push(`action ${action}`)
      return { status: 'ERROR', error: 'unknown action' }
  }
}

function sell(house: House, body: Body): Body {
  const { country, operator, service, sum, currency, exceptionPhoneSet = [] } = body
  const types = [typeof country, typeof operator, typeof service, typeof sum, typeof currency].join()
  if (types !== 'string,string,string,number,number') house.complaints.push(`GET_NUMBER with ${types}`)
  if (!house.services.includes(String(service))) house.complaints.push(`service ${String(service)}`)
  const excluded = exceptionPhoneSet as string[]
  const at = house.free.findIndex((number) => !excluded.some((prefix) => String(number).startsWith(prefix)))
  const [number] = at === -1 ? [] : house.free.splice(at, 1)
  if (number === undefined) return { status: 'NO_NUMBERS' }
  const activationId = 355 + house.sold.length
  house.sold.push({ activationId, number, service: String(service), told: [] })
  return { number, activationId, status: 'SUCCESS' }
}

function finish(house: House, { activationId, status }: Body): Body {
  if (typeof activationId !== 'number' || typeof status !== 'number') house.complaints.push('FINISH without numbers')
  const sold = house.sold.find((each) => each.activationId === activationId)
  if (sold === undefined) return { status: 'ERROR', error: 'no such activation' }
  if (sold.told.length === 0 && status === 4) house.free.push(sold.number)
  sold.told.push(Number(status))
  return { status: 'SUCCESS' }
}
