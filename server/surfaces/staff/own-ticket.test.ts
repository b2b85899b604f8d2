import { expect, test } from 'vitest'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestUser } from '#test/harness/harness.ts'
import { auditOf } from '#test/harness/typed.ts'

const SHOW = 'GET /api/v1/staff/tickets/{id}'
const WRITE = 'POST /api/v1/staff/tickets/{id}/messages'

test('a member of staff changes nothing in a ticket of his own, and sees no note or its file there', async () => {
  await using t = await startTestApp()
  const [me, colleague] = [await makeStaff(t, 'operator'), await makeStaff(t, 'support')]
  const wish = { category: 'other' as const, subject: 's', text: 'x' }
  const { id } = (await call(t, 'POST /api/v1/support/tickets', wish, { token: me.token })).data
  const upload = await t.fetch('/api/v1/support/files', {
    method: 'POST',
    token: colleague.token,
    headers: { 'content-type': 'application/pdf' },
    body: '%PDF-1.4\n%%EOF\n',
  })
  const { data: file } = (await upload.json()) as { data: { id: number } }
  const note = { id, kind: 'note' as const, text: 'I think he steals', files: [file.id], seen: 0 }
  await call(t, WRITE, note, colleague)
  await call(t, WRITE, { id, kind: 'staff', text: 'Hello', seen: 0 }, colleague)

  const kinds = async (user: TestUser) => (await call(t, SHOW, { id }, user)).data.messages.map(({ kind }) => kind)
  expect(await kinds(me)).toEqual(['member', 'staff'])
  expect(await kinds(colleague)).toEqual(['member', 'note', 'staff'])
  const fileStatus = async ({ token }: TestUser) =>
    (await t.fetch(`/api/v1/support/files/${file.id}`, { token })).status
  expect(await fileStatus(me)).toBe(404)
  expect(await fileStatus(await makeStaff(t, 'support'))).toBe(200)

  const audited = await auditOf(t.ctx.db)
  for (const [what, more] of [
    ['take', { from: colleague.id }],
    ['release', {}],
    ['close', {}],
    ['category', { category: 'payment' }],
  ] as const) {
    const answer = await refused(t, `POST /api/v1/staff/tickets/{id}/${what}`, { id, ...more }, me)
    expect({ what, code: answer.body.code }).toEqual({ what, code: 'OWN_TICKET' })
  }
  await call(t, 'POST /api/v1/support/tickets/{id}/close', { id }, me)
  expect((await refused(t, 'POST /api/v1/staff/tickets/{id}/reopen', { id }, me)).body.code).toBe('OWN_TICKET')
  expect((await call(t, SHOW, { id }, colleague)).data).toMatchObject({
    state: 'closed',
    category: 'other',
    taken_by: { id: colleague.id },
  })
  expect(await auditOf(t.ctx.db)).toEqual(audited)
})
