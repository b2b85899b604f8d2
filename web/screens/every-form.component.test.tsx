import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { ShownSupplier } from '#contract/staff/supply.ts'
import type { TicketRecord } from '#contract/support/support.ts'
import { MEMBER, NOW } from '#test/components/app-context.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { GiveUpDialog } from './settings/privacy/give-up-dialog.tsx'
import { AnswerForm } from './staff/answers/answer-form.tsx'
import { PauseSales } from './staff/suppliers/pause-sales.tsx'
import { TicketForm } from './support/create/ticket-form.tsx'
import { ReplyForm } from './support/ticket/reply-form.tsx'

const ticket: TicketRecord = {
  id: 7,
  category: 'other',
  subject: 'A code',
  state: 'open',
  unread: 0,
  messages_count: 1,
  created_at: NOW,
  changed_at: NOW,
}
const supplier = { code: 'range', paused_since: null } as ShownSupplier
const press = (name: string | RegExp) => (user: UserEvent) => user.click(screen.getByRole('button', { name }))
const refused = () =>
  Promise.reject(refusal(422, 'INVALID_INPUT', { message: 'Check the form', errors: { title: ['Name it'] } }))

const FORMS: [
  what: string,
  form: ReactNode,
  act: (user: UserEvent) => Promise<void>,
  told: { field: string | RegExp; words: string | RegExp; alert?: string; answers?: Answers },
][] = [
  [
    'a new ticket',
    <TicketForm key="ticket" choices={[]} wanted={undefined} />,
    press('Send'),
    { field: 'Subject', words: 'Tell us in a few words what it’s about' },
  ],
  [
    'an answer to a ticket',
    <ReplyForm key="reply" ticket={ticket} />,
    press('Send'),
    { field: 'Your reply', words: 'Tell us what happened' },
  ],
  [
    'money that is given up',
    <GiveUpDialog
      key="give"
      privacy={{ balance: '5.00', currency: 'rub' }}
      onClose={() => undefined}
      onConfirmed={() => undefined}
    />,
    press(/^Give up/),
    { field: /^Type the amount/, words: /exactly as shown$/ },
  ],
  [
    'sales that are stopped',
    <PauseSales key="turn" supplier={supplier} />,
    async (user) => {
      await press('Pause sales')(user)
      await press('Pause sales')(user)
    },
    { field: 'Reason', words: 'Enter a reason' },
  ],
  [
    'a ready answer that the server refuses',
    <AnswerForm key="answer" onDone={() => undefined} />,
    press('Save'),
    { field: 'Title', words: 'Name it', alert: 'Check the form', answers: { 'POST /api/v1/staff/answers': refused } },
  ],
]

test.each(FORMS)(
  'SP-12, checklist 5.1: a failure is told at its field and by an alert: %s',
  async (_what, form, act, told) => {
    const answers = { 'GET /api/user': MEMBER.user, ...told.answers }
    const { user } = await show(form, { session: MEMBER, answers })
    await act(user)
    const field = await screen.findByRole('textbox', { name: told.field })
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(field.ariaInvalid).toBe('true')
    const messages = screen.getByRole('region', { name: 'Messages', hidden: true })
    await within(messages).findByText(told.alert ?? told.words)
    expect(screen.getAllByText(told.words).length).toBeGreaterThan(told.alert === undefined ? 1 : 0)
  },
)
