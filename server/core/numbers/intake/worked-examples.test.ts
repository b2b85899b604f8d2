import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { INTAKE_KEY, openWebhookHouse, PHONES } from '#test/fakes/webhook/webhook-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { createTestClock } from '#test/harness/test-clock.ts'

const run = promisify(execFile)
const programs = [requireProgram('curl'), requireProgram('openssl')]
const isMissing = programs.includes(undefined)
const SECRET = 'a signing key of the tests'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')

const page = await readFile(new URL('../../../../docs/api/webhook-intake.md', import.meta.url), 'utf8')
const examples = page.split('\n## ').flatMap((section) => {
  const [, format] = /^[^\n]*\(`([\w-]+)`\)/.exec(section) ?? []
  const [, command] = /```sh\n(.*?)```/s.exec(section) ?? []
  const [, settings = '{}'] = /```json\n(.*?)```/s.exec(section) ?? []
  return format === undefined || command === undefined ? [] : [{ format, command, settings }]
})

test('the page has an example of every format', () => {
  expect(examples.map(({ format }) => format)).toEqual([
    'android-sms-gateway',
    'httpsms',
    'twilio',
    'vonage',
    'telnyx',
    'generic',
  ])
})

test.skipIf(isMissing).each(examples)(
  'docs/api/webhook-intake.md: what is typed for $format works',
  async ({ format, command, settings }) => {
    // The real time is used, because openssl and date ignore the test clock.
    await using t = await startTestApp({ clock: createTestClock(new Date().toISOString()) })
    await using folder = await temporaryFolder()
    await writeFile(folder.path('key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }))
    const secrets = { secrets: [SECRET] }
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
    const own =
      format === 'telnyx' ? { publicKeys: [raw] } : format === 'twilio' ? { ...secrets, publicUrl: t.url } : secrets
    const named = format === 'generic' ? (JSON.parse(settings) as object) : { format, ...own }
    const house = await openWebhookHouse(t, {
      settings: { ...named },
      post: () => ({ method: 'POST', headers: {}, body: '' }),
    })
    const env = { PATH: process.env.PATH, ADDRESS: `${t.url}/intake/phones/${INTAKE_KEY}`, SECRET, TO: PHONES[0] }
    const { stdout } = await run('bash', ['-ec', command], { env, cwd: folder.path('.') })
    await t.ctx.background.idle()
    expect(stdout).toBe(format === 'twilio' ? '<?xml version="1.0" encoding="UTF-8"?><Response/>' : '')
    expect(await house.states()).toEqual({ processed: 1 })
    const { rows } = await t.ctx.db.query({ text: 'SELECT phone, sender, body FROM messages' })
    expect(rows).toEqual([{ phone: PHONES[0], sender: 'Telegram', body: 'Telegram code: 48213' }])
  },
)
