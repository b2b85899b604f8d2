import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('a supplier is removed when it is paused and nothing of it is open; a running server lets go of it', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { token } = buyer
  const look = await followChanges(t.ctx)
  const remove = () => typed(t.database, 'supplier:remove', 'fake', ...WHY)
  const { id } = await buyOne(t, buyer)

  expect(await remove()).toMatchObject({ code: 1, err: expect.stringContaining('fake may be selling at this moment') })
  await typed(t.database, 'supplier:pause', 'fake', ...WHY)
  expect(await remove()).toMatchObject({ code: 1, err: expect.stringContaining('a minute before') })
  await t.ctx.db.query({ text: `UPDATE suppliers SET paused_at = paused_at - interval '1 minute'` })
  expect(await remove()).toEqual({ code: 1, out: '', err: '1 orders of fake are open: wait until they have ended\n' })
  t.clock.advance(3 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token })
  expect(await remove()).toMatchObject({ code: 1, err: expect.stringContaining('has not been told of 1 endings yet') })
  await t.runJobs()
  expect(await remove()).toEqual({ code: 0, out: 'The supplier fake is removed.\n', err: '' })

  await look()
  expect(suppliersOf(t.ctx).all()).toEqual([])
  expect(await refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token })).toMatchObject({
    body: { code: 'NO_NUMBERS' },
  })
  expect((await typed(t.database, 'supplier:list')).out).toBe('There is no supplier yet.\n')
  expect((await typed(t.database, 'order:show', String(id))).out).toContain('fake')
  expect(await remove()).toMatchObject({ code: 1, err: 'There is no supplier fake\n' })
  const add = await typed(t.database, 'supplier:add', 'smpp', '--code', 'fake', '--settings', '{}', ...WHY)
  expect(add).toMatchObject({ code: 1 })
  expect((await auditOf(t.ctx.db)).at(-1)).toMatchObject({ command: 'supplier:remove', subject: 'supplier:fake' })
})
