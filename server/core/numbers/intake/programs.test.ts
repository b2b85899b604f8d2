import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buyOne } from '#test/builders/activation-rows.ts'
import { startBoxes } from '#test/fakes/smpp/kannel-boxes.ts'
import { startGammu } from '#test/fakes/webhook/gammu-phone.ts'
import { INTAKE_KEY, openWebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const curl = requireProgram('curl')
const gammu = requireProgram('gammu-smsd')
const bearerbox = requireProgram('bearerbox')
const smsbox = requireProgram('smsbox')

const page = await readFile(new URL('../../../../docs/api/webhook-intake.md', import.meta.url), 'utf8')
const written = (pattern: RegExp) => pattern.exec(page)?.[1] ?? ''

const byDevice = { format: 'generic', sentAs: 'form', fields: { device: 'phone', sender: 'from', text: 'text' } }
const byQuery = {
  format: 'generic',
  sentAs: 'query',
  fields: { phone: 'to', sender: 'from', text: 'text', id: 'id', charset: 'charset', coding: 'coding' },
}

async function openBank(t: TestApp, settings: Record<string, unknown>) {
  const unused = () => ({ method: 'POST' as const, headers: {}, body: '' })
  await openWebhookHouse(t, { settings, post: unused })
  const buyer = await t.makeUser()
  const { phone } = await buyOne(t, buyer)
  await typed(t.database, 'sim:add', 'phones', phone, '2', 'altel', '--device', 'modem-1', ...WHY)
  return { phone, tab: await listen(t, buyer), address: `${t.url}/intake/phones/${INTAKE_KEY}` }
}

const QUOTED = `Telegram: код 48213 '"$PATH\`id\`\\ 100% & + 😀`

test.skipIf(gammu === undefined || curl === undefined)(
  'gammu-smsd hands over what its phone received, long and hostile texts too',
  async () => {
    await using t = await startTestApp()
    const { tab, address } = await openBank(t, byDevice)
    using _ = tab
    const long = ['Telegram: код 55555 '.padEnd(66, 'а'), 'б'.repeat(66), 'в']
    await using _phone = await startGammu({
      program: gammu ?? '',
      script: written(/```sh gammu\n(.*?)```/s),
      phoneId: 'modem-1',
      env: { ADDRESS: address },
      messages: [
        { from: 'Telegram', parts: [QUOTED] },
        { from: 'Telegram', parts: long },
      ],
    })
    expect((await tab.next('NewCode')).message).toMatchObject({ text: QUOTED, code: '48213', sender: 'Telegram' })
    expect((await tab.next('NewCode')).message).toMatchObject({ text: long.join(''), code: '55555' })
  },
)

test.skipIf(curl === undefined)(
  'the script for smstools posts its files, in either alphabet, and neither data nor what was sent',
  async () => {
    await using t = await startTestApp()
    await using folder = await temporaryFolder()
    const { tab, address } = await openBank(t, byDevice)
    using _ = tab
    await writeFile(folder.path('handler'), written(/```sh smstools\n(.*?)```/s))
    const handle = async (event: string, alphabet: string, text: Buffer) => {
      const head = `From: Telegram\nFrom_TOA: D0 alphanumeric\nReceived: 26-03-01 12:00:00\nModem: modem-1\nAlphabet: ${alphabet}\n\n`
      await writeFile(folder.path('sms'), Buffer.concat([Buffer.from(head), text]))
      const env = { PATH: process.env.PATH, ADDRESS: address }
      await promisify(execFile)('sh', [folder.path('handler'), event, folder.path('sms')], { env })
    }
    await handle('SENT', 'ISO', Buffer.from('Telegram code: 11111'))
    await handle('RECEIVED', 'binary', Buffer.from('Telegram code: 33333'))
    await handle('RECEIVED', 'UCS2', Buffer.from(`${QUOTED}\nЊ`, 'utf16le').swap16())
    expect((await tab.next('NewCode')).message).toMatchObject({ text: `${QUOTED}\nЊ`, code: '48213' })
    await handle('RECEIVED', 'ISO', Buffer.from('Telegram code: 22222\nsecond line'))
    expect((await tab.next('NewCode')).message).toMatchObject({ text: 'Telegram code: 22222\nsecond line' })
  },
)

test.skipIf(bearerbox === undefined || smsbox === undefined)(
  'Kannel asks for the address with what it received',
  async () => {
    await using t = await startTestApp()
    const { phone, tab, address } = await openBank(t, byQuery)
    using _ = tab
    const service = written(/### Kannel\n.*?```\n(.*?)```/s).replace('ADDRESS', address)
    await using boxes = await startBoxes({ bearerbox: bearerbox ?? '', smsbox: smsbox ?? '' }, (ports) =>
      [
        `group = core\nadmin-port = ${ports.admin}\nadmin-interface = 127.0.0.1\nadmin-password = secret\nsmsbox-port = ${ports.smsbox}\nsmsbox-interface = 127.0.0.1\nbox-allow-ip = 127.0.0.1\nlog-level = 0`,
        `group = smsc\nsmsc = http\nsystem-type = kannel\nsmsc-id = bank\nport = ${ports.smsc}\nconnect-allow-ip = 127.0.0.1\nsmsc-username = bank\nsmsc-password = secret\nsend-url = "http://127.0.0.1:${ports.smsc}"`,
        `group = smsbox\nbearerbox-host = 127.0.0.1\nbearerbox-port = ${ports.smsbox}\nsendsms-port = ${ports.sendsms}\nsendsms-interface = 127.0.0.1\nlog-level = 0`,
        service,
      ].join('\n\n'),
    )
    const receive = (text: string, coding: string) => {
      const words = {
        username: 'bank',
        password: 'secret',
        from: 'Telegram',
        to: phone,
        charset: 'UTF-8',
        coding,
        text,
      }
      return fetch(`http://127.0.0.1:${boxes.ports.smsc}/sms?${new URLSearchParams(words)}`)
    }
    for (const [text, coding] of [
      [QUOTED, '2'],
      ['Telegram code: 22222 @£$ {}[]~', '0'],
    ] as const) {
      const reply = await receive(text, coding)
      expect(reply.status).toBe(202)
      expect((await tab.next('NewCode')).message.text).toBe(text)
    }
  },
)
