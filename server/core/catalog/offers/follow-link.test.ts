import { expect, test } from 'vitest'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { followLink } from './follow-link.ts'

test('what a supplier could not be told while it was away is told when its link is back, and nothing else', async () => {
  await using t = await startTestApp({ config: { earlyCancelSeconds: 0 } })
  const [away, other] = [await t.addFake('away'), await t.addFake('other', [])]
  const buyer = await t.makeUser({ balance: '1000' })
  const bought = [await buyOne(t, buyer), await buyOne(t, buyer), await buyOne(t, buyer)]
  const [ended, unsold, worn] = bought.map(({ id }) => id)
  for (const activationId of [ended, worn]) {
    await cancelActivation(t.ctx, { activationId: activationId ?? 0, userId: buyer.id })
  }
  const abandon = `SELECT graphile_worker.add_job('abandon-attempt', json_build_object('supplierId', $1::integer, 'reference', $2::text))`
  for (const { id } of [away, other]) await t.ctx.db.query({ text: abandon, values: [id, `${unsold}-1`] })
  await t.ctx.db.query({
    text: `UPDATE graphile_worker._private_jobs SET attempts = 9, run_at = now() + interval '2 hours'`,
  })
  await t.ctx.db.query({
    text: `UPDATE graphile_worker._private_jobs SET attempts = 20 WHERE payload->>'activationId' = $1::text`,
    values: [worn],
  })
  const due = async () => {
    const { rows } = await t.ctx.db.query<{ of: string }>({
      text: `SELECT COALESCE(payload->>'activationId', 'of ' || (payload->>'supplierId')) AS of
        FROM graphile_worker._private_jobs WHERE run_at <= now() ORDER BY 1`,
    })
    return rows.map(({ of }) => of)
  }
  let up = false
  Object.assign(away, { link: () => ({ up, since: t.clock.now() }) })
  await followLink(t.ctx, away.id)
  expect(await due()).toEqual([])
  up = true
  await followLink(t.ctx, away.id)
  expect(await due()).toEqual([String(ended), `of ${away.id}`])
})
