import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { ReferenceCall } from '#contract/calls/reference-calls.ts'
import { userChannel } from '#contract/live-events.ts'
import { MINUTE } from '#contract/time.ts'
import { sendDue } from '#server/core/webhooks/sending/send-due.ts'
import { calls } from '#server/programs/app.ts'
import { describeReference } from '#server/surfaces/site/reference/describe-reference.ts'
import { describeProtocol } from '#server/surfaces/site/reference/protocols/describe-protocol.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { type TemporaryFolder, temporaryFolder } from '#test/harness/temporary-folder.ts'
import { hook, startHooked } from '#test/services/webhook-service.ts'
import { callExample } from '#web/screens/doc/examples/call-example.ts'
import { programExample } from '#web/screens/doc/examples/programs.ts'
import { CODE_LANGUAGES, type CodeLanguage } from '#web/screens/doc/examples/request.ts'
import { writeExample } from '#web/screens/doc/examples/write-example.ts'

const SHOWN = describeReference(calls, 'en').data.flatMap((group) => group.calls)
const CLIENT = new URL('../../clients/typescript/src/ringpost.ts', import.meta.url).href

/** The program that runs the examples of a language, and the name of an example's file. */
const RUNTIMES: Record<CodeLanguage, { program: string | undefined; file: string; args: readonly string[] }> = {
  curl: { program: requireProgram('curl') && requireProgram('bash'), file: 'example.sh', args: [] },
  typescript: { program: process.execPath, file: 'example.ts', args: ['--experimental-strip-types', '--no-warnings'] },
  python: { program: requireProgram('python3'), file: 'example.py', args: [] },
  php: { program: requireProgram('php'), file: 'example.php', args: [] },
  go: { program: requireProgram('go'), file: 'example.go', args: ['run'] },
}

type Runner = (code: string, options?: { key?: string; environment?: Record<string, string> }) => Promise<string>

/** Runs programs of a language, each as a file of its own. Rejects if one ends with an error. */
function runnerOf(language: CodeLanguage, folder: TemporaryFolder): Runner {
  const { program, file, args } = RUNTIMES[language]
  if (program === undefined) throw new Error(`${language} is not installed`)
  return async (code, { key = '', environment = {} } = {}) => {
    await writeFile(folder.path(file), code.replace(`from 'ringpost'`, `from '${CLIENT}'`))
    const env = { ...process.env, ...environment, RINGPOST_KEY: key, GOCACHE: '/tmp/ringpost-go-cache' }
    const { stdout } = await promisify(execFile)(program, [...args, file], { cwd: folder.root, env })
    return stdout
  }
}

const INSTALLED = CODE_LANGUAGES.filter((language) => RUNTIMES[language].program !== undefined)

test.each(INSTALLED)(
  'a program copied from /doc/api in %s buys, waits for the code, cancels and rents',
  async (language) => {
    await using t = await startTestApp()
    await using folder = await temporaryFolder()
    const supplier = await t.addFake('fake', undefined, fakeRentOffers)
    const key = await t.makeApiKey(await t.makeUser({ balance: '1000.00' }))
    const run = runnerOf(language, folder)
    async function ask(id: string, example: object = {}) {
      const code = callExample(callOf(id, example), language, { site: t.url, apiKey: '' })
      return JSON.parse(await run(code, { key })) as { data: Record<string, never>; balance: string }
    }
    expect(await ask('user_get')).toMatchObject({ balance: '1000.00' })
    expect(await ask('price_get')).toMatchObject({ data: { operators: [{ price: '13.00' }, { price: '13.00' }] } })
    expect(await ask('services_get')).toMatchObject({
      services: expect.arrayContaining([expect.objectContaining({ id: 'tg', price: '13.00' })]),
    })
    const { data: number } = await ask('activations_create')
    expect(number).toMatchObject({ state: 'waiting', price: '13.00' })
    await pushSms(t, supplier, { phone: number.phone ?? '' })
    const { id } = number
    expect(await ask('activations_getById', { id })).toMatchObject({ data: { state: 'received', code: '48213' } })
    expect(await ask('activations_again', { id })).toMatchObject({ data: { state: 'waiting_again' } })
    expect(await ask('activations_finish', { id })).toMatchObject({ data: { state: 'finished' } })
    const { data: second } = await ask('activations_create')
    t.clock.advance(3 * MINUTE)
    expect(await ask('activations_cancel', { id: second.id })).toMatchObject({ data: { state: 'cancelled' } })
    const { data: rental } = await ask('rentals_create', { service_id: 'full' })
    expect(rental).toMatchObject({ state: 'active', price: '52.00' })
    expect(await ask('rentals_getById', { id: rental.id })).toMatchObject({ data: { id: rental.id } })
    const { data: hooked } = await ask('webhooks_create')
    expect(await ask('webhooks_changeById', { id: hooked.id })).toMatchObject({ data: { on: false } })
    expect(await ask('webhooks_removeById', { id: hooked.id })).toMatchObject({ status: true })
    expect(await ask('history_get')).toMatchObject({ history: { data: [{}, {}, {}] } })
  },
)

function callOf(id: string, example: object): ReferenceCall {
  const found = SHOWN.find((one) => one.id === id)
  if (found === undefined) throw new Error(`/doc/api has no call ${id}`)
  return { ...found, example: { ...found.example, ...example } }
}

test.each(INSTALLED)(
  'a program of handler_api and of 5sim in %s, with the reader’s own key written into it',
  async (language) => {
    await using t = await startTestApp()
    await using folder = await temporaryFolder()
    await t.addFake()
    const key = await t.makeApiKey(await t.makeUser({ balance: '100.00' }))
    const run = runnerOf(language, folder)
    const ask = async (name: 'handler-api' | 'five-sim', id: string) => {
      const request = describeProtocol(name, 'en').data.parts.find((part) => part.id === id)?.request
      if (request == null) throw new Error(`${name} has no request ${id}`)
      const { address, ...rest } = request
      const code = writeExample(language, { ...rest, url: t.url + address }, key)
      expect(code).toContain(key)
      return (await run(code)).trim()
    }
    expect(await ask('handler-api', 'getBalance')).toBe('ACCESS_BALANCE:100.00')
    expect(await ask('handler-api', 'getNumber')).toMatch(/^ACCESS_NUMBER:\d+:7705\d+$/)
    expect(await ask('handler-api', 'getPrices')).toBe('{"2":{"tg":{"cost":13.00,"count":100,"physicalCount":100}}}')
    expect(JSON.parse(await ask('five-sim', 'buy'))).toMatchObject({
      product: 'telegram',
      price: 13,
      status: 'PENDING',
    })
    expect(JSON.parse(await ask('five-sim', 'profile'))).toMatchObject({ balance: 74, frozen_balance: 26 })
  },
)

test.each(INSTALLED)('the listener of /doc/live in %s prints the code', async (language) => {
  await using t = await startTestApp()
  await using folder = await temporaryFolder()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  const shown = programExample('listen', language, { site: t.url, apiKey: await t.makeApiKey(buyer) })
  const code = shown.replace('activations/100000001', `activations/${id}`)
  // The socket of the program stays open, as a reader wants; the test needs its end.
  const ending = code.replace(
    'console.log(JSON.parse(data).message.code)',
    '(console.log(JSON.parse(data).message.code), socket.close())',
  )
  const said = runnerOf(language, folder)(ending)
  await expect
    .poll(async () => {
      const waiting = (await t.ctx.metrics.waitingCalls.get()).values[0]?.value
      return waiting === 1 || t.ctx.realtime.hasListeners(userChannel(buyer.id))
    })
    .toBe(true)
  await pushSms(t, supplier, { phone })
  expect(await said).toContain('48213')
})

/** How each program is asked about the delivery in `ID`, `TIME`, `SIGNATURE` and the file `body`. */
const DRIVERS: Record<CodeLanguage, (code: string) => string> = {
  curl: (code) => code,
  typescript: (code) => `${code}
import { readFileSync } from 'node:fs'
const { ID = '', TIME = '', SIGNATURE = '', WEBHOOK_SECRET = '' } = process.env
const headers = new Headers({ 'webhook-id': ID, 'webhook-timestamp': TIME, 'webhook-signature': SIGNATURE })
console.log(verify(WEBHOOK_SECRET, headers, readFileSync('body', 'utf8')) ? 'ours' : 'not ours')`,
  python: (code) => `${code}

import os
headers = {"webhook-id": os.environ["ID"], "webhook-timestamp": os.environ["TIME"], "webhook-signature": os.environ["SIGNATURE"]}
print("ours" if verify(os.environ["WEBHOOK_SECRET"], headers, open("body", "rb").read()) else "not ours")`,
  php: (code) => `${code}
$headers = ['webhook-id' => getenv('ID'), 'webhook-timestamp' => getenv('TIME'), 'webhook-signature' => getenv('SIGNATURE')];
echo verify(getenv('WEBHOOK_SECRET'), $headers, file_get_contents('body')) ? 'ours' : 'not ours';`,
  go: (code) => `${code.replace('"net/http"', '"net/http"\n\t"os"')}

func main() {
	headers := http.Header{}
	headers.Set("webhook-id", os.Getenv("ID"))
	headers.Set("webhook-timestamp", os.Getenv("TIME"))
	headers.Set("webhook-signature", os.Getenv("SIGNATURE"))
	body, _ := os.ReadFile("body")
	if verify(os.Getenv("WEBHOOK_SECRET"), headers, body) {
		fmt.Println("ours")
	} else {
		fmt.Println("not ours")
	}
}`,
}

test.each(INSTALLED)('the check of /doc/webhooks in %s knows our deliveries from others', async (language) => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  await using folder = await temporaryFolder()
  const buyer = await t.makeUser()
  const { id, secret } = await hook(t, buyer, { url: receiver.url })
  await call(t, 'POST /api/v1/webhooks/{id}/test', { id }, buyer)
  await sendDue(t.ctx)
  const [delivery] = receiver.received
  if (delivery === undefined) throw new Error('nothing was delivered')
  await writeFile(folder.path('body'), delivery.body)
  const [ID, TIME, SIGNATURE] = ['id', 'timestamp', 'signature'].map((name) =>
    String(delivery.headers[`webhook-${name}`]),
  )
  const code = DRIVERS[language](programExample('verify', language, { site: t.url, apiKey: '' }))
  const run = runnerOf(language, folder)
  const verdict = async (changed: Record<string, string>) => {
    const environment = {
      ID: ID ?? '',
      TIME: TIME ?? '',
      SIGNATURE: SIGNATURE ?? '',
      WEBHOOK_SECRET: secret,
      ...changed,
    }
    return (await run(code, { environment })).trim()
  }
  expect(await verdict({})).toBe('ours')
  expect(await verdict({ SIGNATURE: `v1,AAAA ${SIGNATURE}` })).toBe('ours')
  expect(await verdict({ WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}` })).toBe('not ours')
  expect(await verdict({ SIGNATURE: 'v1,AAAA' })).toBe('not ours')
})
