import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'
import { loadNotices } from './shown-notices.ts'

test('P-5: the banner is shown in its languages between its times, and a changed one has another id', async () => {
  await using t = await startTestApp()
  const run = (...argv: string[]) => typed(t.database, ...argv, ...WHY)
  const alerts = async (locale: 'ru' | 'en' = 'en') => {
    await loadNotices(t.ctx)
    return (await call(t, 'GET /api/content/settings', {}, { locale })).alerts
  }
  // The command line uses the clock of the machine.
  const [from, until] = [1, 2].map((hours) => new Date(Date.now() + hours * HOUR).toISOString())
  const times = ['--from', from ?? '', '--until', until ?? '']
  expect(await run('notice:set', 'works', '--en', 'We are down tonight', '--error', ...times)).toMatchObject({
    code: 0,
  })
  expect(await run('notice:list')).toMatchObject({ code: 2 })
  expect((await typed(t.database, 'notice:list')).out).toContain('works (to come, error)')
  const goTo = (hours: number) => t.clock.advance(Date.now() + hours * HOUR - t.clock.now().getTime())
  goTo(0.5)
  expect(await alerts()).toEqual([])
  goTo(1.5)
  expect([await alerts(), await alerts('ru')]).toEqual([
    [{ id: 'works-1', type: 'error', text: 'We are down tonight' }],
    [],
  ])
  await run('notice:set', 'works', '--en', 'We are back', '--ru', 'Мы снова работаем', ...times)
  expect(await alerts('ru')).toEqual([{ id: 'works-2', type: 'info', text: 'Мы снова работаем' }])
  goTo(2.5)
  expect(await alerts()).toEqual([])
  expect(await run('notice:remove', 'works')).toMatchObject({ code: 0 })
  expect(await run('notice:remove', 'works')).toMatchObject({ code: 1 })
  const commands = (await auditOf(t.ctx.db)).map(({ command }) => command)
  expect(commands).toEqual(['notice:set', 'notice:set', 'notice:remove'])
  for (const wrong of [
    ['Works', '--en', 'x'],
    ['works'],
    ['works', '--en', 'x'.repeat(201)],
    ['works', '--en', 'x', '--until', '2020-01-01'],
  ]) {
    expect(await run('notice:set', ...wrong)).toMatchObject({ code: 2 })
  }
})
