import SMSActivate from 'sms-activate'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

// The npm client posts all in the query and finds a known text anywhere in the reply.
test('npm sms-activate buys, reads, asks for another and finishes, at the common address and at that of its dialect', async () => {
  await using p = await startProtocolTest()
  for (const prefix of ['', '/sms-activate']) {
    const client = new SMSActivate(p.key)
    client.session.defaults.baseURL = `${p.t.url}${prefix}/stubs/handler_api.php`
    const before = await client.getBalance()
    const bought = await client.getNumber('tg', 2)
    if (bought === null) throw new Error('nothing was bought')
    const { id, number } = bought
    expect(await client.getBalance(true)).toBe((before ?? 0) - 13)
    expect([await client.getStatus(id), await client.getCode(id)]).toEqual(['STATUS_WAIT_CODE', null])
    await p.sms(String(number), 'Telegram code: 48213')
    expect([await client.getStatus(id), await client.getCode(id)]).toEqual(['STATUS_OK', '48213'])
    expect(await client.setStatus(id, 3)).toBe('ACCESS_RETRY_GET')
    expect(await client.setStatus(id, 6)).toBe('ACCESS_ACTIVATION')
    await expect(client.getNumber('zzz', 2)).rejects.toThrow('Bad serivce')
    await expect(client.getNumber('wa', 2)).rejects.toThrow('No free numbers')
    await expect(client.setStatus(5, 8)).rejects.toThrow('Invalid activation id')
    const second = await client.getNumber('tg', 2)
    p.t.clock.advance(2 * MINUTE)
    expect(await client.setStatus(second?.id ?? 0, 8)).toBe('ACCESS_CANCEL')
  }
  const stranger = new SMSActivate('x'.repeat(32))
  stranger.session.defaults.baseURL = `${p.t.url}/sms-activate/stubs/handler_api.php`
  await expect(stranger.getBalance()).rejects.toThrow('Invalid API Key')
})
