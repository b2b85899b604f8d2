import { expect, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { tooBusy } from '#server/house/errors/errors.ts'
import { FairQueue } from '#server/house/limits/fair-queue.ts'
import { form, mailsTo } from '#test/builders/registration.ts'
import { send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { redisProgram, startThreeNodes } from '#test/services/three-nodes.ts'
import { reserveMail } from './mail-rate-limit.ts'

const ATTACKERS = Array.from({ length: 8 }, (_each, at) => `203.0.113.${at + 1}`)
const OWNER = '198.51.100.1'

async function ask(t: TestApp, email: string, address: string): Promise<number> {
  const headers = { 'x-forwarded-for': address }
  const { response, body } = await send(t, 'POST /api/forgot-password', { email }, { headers })
  if (response.status === 200) expect(body).toEqual({ status: true })
  return response.status
}

// Security finding S-7: the fastest client used up the recipient's mail limit, so the owner's own request sent no mail.
test('eight addresses that ask without end keep no reset from the owner, and do not flood him', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const { email } = await t.makeUser()
  let sent = 0
  for (let turn = 0; turn < 20; turn += 1) {
    for (let second = 0; second < 3; second += 1) {
      for (const attacker of ATTACKERS) await ask(t, email, attacker)
      t.clock.advance(SECOND)
    }
    const before = (await mailsTo(t, email)).length
    expect(await ask(t, email, OWNER)).toBe(200)
    sent += (await mailsTo(t, email)).length - before
    t.clock.advance(6 * HOUR)
  }
  expect(sent).toBe(20)
  const mails = await mailsTo(t, email)
  expect(mails.length).toBeLessThanOrEqual(40 + 5 * 40)
})

test('registrations with a wrong riddle use up none of the mails of an address', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'], captchaEnabled: '2' } })
  const { email } = await t.makeUser()
  for (let network = 0; network < 45; network += 1) {
    const headers = { 'x-forwarded-for': `203.0.${network}.1` }
    const { body } = await send(t, 'POST /api/register', form(email, { captcha: 'junk' }), { headers })
    expect(body).toMatchObject({ code: 'CAPTCHA_FAILED' })
  }
  expect(await ask(t, email, OWNER)).toBe(200)
  expect(await mailsTo(t, email)).toHaveLength(1)
})

test('whoever was told to come again because too many waited has his mail when he does', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const { email } = await t.makeUser()
  {
    using full = vi.spyOn(FairQueue.prototype, 'run')
    full.mockRejectedValueOnce(tooBusy(1))
    expect(await ask(t, email, OWNER)).toBe(503)
  }
  expect(await ask(t, email, OWNER)).toBe(200)
  expect(await mailsTo(t, email)).toHaveLength(1)
})

test('however many ask, and however often, a recipient is sent forty mails and forty more a day', async () => {
  await using t = await startTestApp()
  const email = 'anna@example.test'
  const take = async (address: string) => (await reserveMail(t.ctx, { address, email, purpose: 'reset' })) !== null
  const went = { day: 0, owner: 0 }
  for (let second = 0; second < DAY / SECOND; second += 5) {
    for (const attacker of ATTACKERS) if (await take(attacker)) went.day += 1
    if (second % (6 * 3_600) === 3_600) went.owner += Number(await take(OWNER))
    t.clock.advance(5 * SECOND)
  }
  expect(went.owner).toBe(4)
  expect(went.day + went.owner).toBeLessThanOrEqual(80)
})

test('one asker has a mail a minute at first, then fewer; what was not mailed does not count', async () => {
  await using t = await startTestApp()
  const take = () => reserveMail(t.ctx, { address: OWNER, email: 'anna@example.test', purpose: 'reset' })
  expect(await take()).not.toBeNull()
  expect(await take()).toBeNull()
  let more = 0
  for (let minute = 0; minute < 30; minute += 1) {
    t.clock.advance(MINUTE)
    if ((await take()) !== null) more += 1
  }
  expect(more).toBe(7)
  t.clock.advance(DAY)
  for (let turn = 0; turn < 50; turn += 1) {
    t.clock.advance(3 * SECOND)
    await (await take())?.giveBack()
  }
  expect(await take()).not.toBeNull()
})

test('one network may have twenty mails a minute sent, to whomever', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  for (let turn = 0; turn < 20; turn += 1) expect(await ask(t, `a${turn}@x.test`, OWNER)).toBe(200)
  expect(await ask(t, 'a20@x.test', OWNER)).toBe(429)
  expect(await ask(t, 'a20@x.test', '198.51.100.2')).toBe(200)
})

test.runIf(redisProgram)('mails of a recipient count at all nodes; what was not mailed does not', async () => {
  await using shop = await startThreeNodes()
  const {
    nodes: [{ ctx: first }, { ctx: second }],
  } = shop
  const asked = { address: '198.51.100.1', email: 'anna@example.test' }
  const slot = await reserveMail(first, { ...asked, purpose: 'reset' })
  expect(slot).not.toBeNull()
  expect(await reserveMail(second, { ...asked, purpose: 'reset' })).toBeNull()
  await slot?.giveBack()
  await slot?.giveBack()
  const register = { ...asked, purpose: 'register' } as const
  const slots = await Promise.all(
    Array.from({ length: 12 }, (_, turn) => reserveMail(turn % 2 === 0 ? first : second, register)),
  )
  expect(slots.filter((one) => one !== null)).toHaveLength(8)
  expect(await reserveMail(second, { ...register, address: '198.51.100.2' })).not.toBeNull()
})
