import { expect, test } from 'vitest'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { seedCatalog } from '#server/programs/boot/seed-catalog.ts'
import { nameService } from '#test/builders/sender-book.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('a running server follows what staff say of senders, and no later seed undoes it', async () => {
  await using t = await startTestApp()
  const look = await followChanges(t.ctx)
  const change = async (...argv: string[]) => {
    const said = await typed(t.database, ...argv, ...WHY)
    await look()
    return said
  }
  const named = (sender: string, text = 'Your code is 4821') => {
    const naming = nameService(senderBookOf(t.ctx), { sender, text })
    return 'services' in naming ? `${naming.kind} ${naming.services.join(' ')}` : naming.kind
  }

  expect([named('OzonNew'), senderBookOf(t.ctx).sendersKnown('sg')]).toEqual(['none', false])
  expect(await change('sender:set', 'sg', 'sender', 'OzonNew')).toMatchObject({
    code: 0,
    out: 'Ozon is known by the proven sender OzonNew now.\n',
  })
  expect([named('ozonnew'), senderBookOf(t.ctx).sendersKnown('sg')]).toEqual(['named sg', true])
  expect((await change('sender:set', 'sg', 'sender', 'OzonNew')).out).toContain('already')
  expect((await change('sender:set', 'sg', 'word', 'Marketka')).code).toBe(0)
  expect(named('AUTHMSG', 'Marketka code 4821')).toBe('named sg')
  expect(named('AUTHMSG', 'the Marketka opens at 10, 4821')).toBe('none')

  expect((await change('sender:remove', 'ig', 'sender', 'INSTAGRAM')).code).toBe(0)
  expect((await change('sender:ignore', 'Promo Shop')).out).toBe('promo shop is ignored now.\n')
  expect((await change('sender:heed', 'Tele2')).code).toBe(0)
  await seedCatalog(t.ctx.db)
  await change('sender:heed', 'Yota')
  expect(named('Instagram')).toBe('none')
  expect(named('PROMO shop', 'Your WhatsApp code: 482-913')).toBe('operator')
  expect([named('Tele2'), named('MegaFon')]).toEqual(['none', 'operator'])
  expect(named('OzonNew')).toBe('named sg')

  const { out } = await typed(t.database, 'sender:list', '--service', 'ig')
  expect(out).toContain('family meta\n')
  expect(out).toContain('ig sender Instagram (proven, removed)\n')
  expect(out).toContain('ig hash SIYRxKrru1t (proven, seed)\n')
  const all = (await typed(t.database, 'sender:list')).out
  expect(all).toContain('sg sender OzonNew (proven, staff)\n')
  expect(all).toContain('ignored promo shop (staff)\n')
  expect((await auditOf(t.ctx.db)).map(({ command, subject }) => `${command} ${subject}`)).toEqual([
    'sender:set service:sg',
    'sender:set service:sg',
    'sender:remove service:ig',
    'sender:ignore sender:promo shop',
    'sender:heed sender:tele2',
    'sender:heed sender:yota',
  ])
})

test('what can name no service is refused', async () => {
  await using t = await startTestApp()
  const code = async (...argv: string[]) => (await typed(t.database, ...argv, ...WHY)).code
  expect(await code('sender:set', 'tg', 'sender', 'Phone Code')).toBe(1)
  expect(await code('sender:set', 'nosuch', 'sender', 'Shop')).toBe(1)
  expect(await code('sender:remove', 'tg', 'sender', 'Nobody')).toBe(1)
  expect(await code('sender:set', 'tg', 'smell', 'Shop')).toBe(2)
  expect(await code('sender:set', 'tg', 'hash', 'short')).toBe(2)
  expect(await code('sender:set', 'tg', 'domain', 'no domain')).toBe(2)
  expect(await code('sender:set', 'tg', 'sender', 'Shop', '--strength', 'common')).toBe(2)
  expect(await auditOf(t.ctx.db)).toEqual([])
})
