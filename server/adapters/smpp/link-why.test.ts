import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { sentMails } from '#test/builders/mails.ts'
import { makeCertificates } from '#test/fakes/smpp/smpp-certificates.ts'
import { COMMAND_ID, listenAsSmsc, type SmppPeer } from '#test/fakes/smpp/smpp-peer.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const ALARM_MAIL = 'night@example.test'

async function openCarrier(settings: object) {
  await using stack = new AsyncDisposableStack()
  const t = stack.use(await startTestApp({ environment: { ALARM_MAIL } }))
  const follow = await followChanges(t.ctx)
  const whole = {
    mode: 'client',
    currency: 'rub',
    services: [],
    systemId: 'ringpost',
    password: 'hush',
    reconnectSeconds: 0.02,
    reconnectMaxSeconds: 0.05,
    refusedSeconds: 0.05,
    responseSeconds: 2,
    ...settings,
  }
  const type = (...argv: string[]) => typed(t.database, ...argv)
  const added = await type('supplier:add', 'smpp', '--code', 'carrier', '--settings', JSON.stringify(whole), ...WHY)
  expect(added).toMatchObject({ code: 0 })
  await follow()
  const kept = stack.move()
  return { t, type, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

type Carrier = Awaited<ReturnType<typeof openCarrier>>

/** Checks that staff read why the link is down in events, lists, the link test and the alarm mail. */
async function expectTold({ t, type }: Carrier, why: RegExp): Promise<void> {
  const events = async () => (await type('supplier:events', 'carrier')).out
  await expect.poll(events).toMatch(why)
  expect((await type('supplier:list')).out).toMatch(why)
  expect((await type('supplier:show', 'carrier')).out).toMatch(why)
  const tested = await type('supplier:test', 'carrier')
  expect([tested.code, tested.out]).toEqual([1, expect.stringMatching(/^FAILS {2}link: down since /)])
  expect(tested.out).toMatch(why)
  t.clock.advance(MINUTE)
  await watchService(t.ctx)
  const mails = (await sentMails(t)).map(({ mail }) => mail)
  expect(mails).toMatchObject([{ alarm: 'link-down', about: 'carrier', over: false, why: expect.stringMatching(why) }])
  expect(JSON.stringify([mails, tested, await events()])).not.toContain('hush')
}

async function answerBind(peer: SmppPeer, status = 0): Promise<void> {
  const bind = await peer.next(COMMAND_ID.bindReceiver)
  peer.send('bind_receiver_resp', { sequence_number: bind.sequence, command_status: status, system_id: 'smsc' })
}

test('OP-3: a carrier that is gone is told with the error of the link, by the letter, the events, the list and the test', async () => {
  const smsc = await listenAsSmsc()
  await smsc[Symbol.asyncDispose]()
  await using carrier = await openCarrier({ hosts: [{ host: '127.0.0.1', port: smsc.port }] })
  await expectTold(carrier, new RegExp(`127\\.0\\.0\\.1:${smsc.port}: .*ECONNREFUSED`))
  const { out } = await carrier.type('supplier:test', 'carrier')
  expect(out).toMatch(new RegExp(`^FAILS {2}127\\.0\\.0\\.1:${smsc.port}: .*ECONNREFUSED`, 'm'))
})

const openssl = requireProgram('openssl')
test.skipIf(openssl === undefined)('OP-3: a certificate that is not taken is told by its code', async () => {
  const [theirs, ours] = [makeCertificates(openssl ?? ''), makeCertificates(openssl ?? '')]
  await using smsc = await listenAsSmsc(theirs.server)
  const hosts = [{ host: '127.0.0.1', port: smsc.port }]
  await using carrier = await openCarrier({ hosts, tls: { ca: ours.ca } })
  await expectTold(carrier, /UNABLE_TO_VERIFY_LEAF_SIGNATURE/)
})

test('OP-3: a refused bind is told by the name of its status, and the test binds as the link does', async () => {
  await using smsc = await listenAsSmsc()
  await using carrier = await openCarrier({ hosts: [{ host: '127.0.0.1', port: smsc.port }] })
  const refusing = (async () => {
    for (;;) await answerBind(await smsc.nextPeer(), 0x0e)
  })()
  refusing.catch(() => undefined)
  await expectTold(carrier, /refuses the bind: ESME_RINVPASWD \(0x0E\)/)
})

test('OP-3: while the link is up the test connects, and does not bind a second time', async () => {
  await using smsc = await listenAsSmsc()
  await using carrier = await openCarrier({ hosts: [{ host: '127.0.0.1', port: smsc.port }] })
  await answerBind(await smsc.nextPeer())
  await expect.poll(async () => (await carrier.type('supplier:list')).out).toContain('link up since')
  const testing = carrier.type('supplier:test', 'carrier')
  const second = await smsc.nextPeer()
  const unbind = await second.next(COMMAND_ID.unbind)
  second.send('unbind_resp', { sequence_number: unbind.sequence })
  expect(await testing).toMatchObject({ code: 0, out: expect.stringContaining('connected; not bound a second time') })
  expect(second.seen.map(({ commandId }) => commandId)).not.toContain(COMMAND_ID.bindReceiver)
})
