import { LOCALES } from '#contract/constants.ts'
import { ANSWER_WORDS, unknownWords } from '#contract/staff/answer-words.ts'
import { MAX_ANSWERS } from '#contract/staff/staff-constants.ts'
import type { Answer, AnswersReply } from '#contract/staff/staff-room.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { type FieldErrors, invalidInput, notFound } from '#server/house/errors/errors.ts'
import { auditStaff } from './audit-ticket.ts'
import { type AnswerRow, deleteAnswer, insertAnswer, listAnswers, updateAnswer } from './queries/answers.ts'
import { requireOperator, type StaffCaller } from './staff-call.ts'
import { answerExists, tooManyAnswers } from './staff-errors.ts'

const KNOWN = ANSWER_WORDS.map((word) => `{${word}}`).join(', ')

type Written = { title: string; ru: string; en: string }

export async function getAnswers(ctx: Context, { staff }: StaffCaller): Promise<AnswersReply> {
  const rows = await listAnswers(ctx.db, MAX_ANSWERS)
  return { status: true, data: rows.map(toAnswer), can_change: staff.role === 'operator' }
}

/** Adds a ready answer for staff. Throws FORBIDDEN, INVALID_INPUT, ANSWER_EXISTS, TOO_MANY_ANSWERS. */
export async function addAnswer(ctx: Context, caller: StaffCaller, written: Written): Promise<Answer> {
  requireOperator(caller)
  requireKnownWords(written)
  return named(ctx, async (tx) => {
    const input = { ...written, staffId: caller.staff.id, now: ctx.clock.now() }
    const row = await insertAnswer(tx, { ...input, limit: MAX_ANSWERS })
    if (row === null) throw tooManyAnswers(MAX_ANSWERS)
    await auditAnswer(ctx, tx, caller, { command: 'answer:add', id: row.id, title: row.title })
    return toAnswer(row)
  })
}

/** Changes a ready answer. Throws FORBIDDEN, INVALID_INPUT, NOT_FOUND, ANSWER_EXISTS. */
export async function changeAnswer(
  ctx: Context,
  caller: StaffCaller,
  { id, ...written }: Written & { id: number },
): Promise<Answer> {
  requireOperator(caller)
  requireKnownWords(written)
  return named(ctx, async (tx) => {
    const row = await updateAnswer(tx, { ...written, id, staffId: caller.staff.id, now: ctx.clock.now() })
    if (row === null) throw notFound()
    await auditAnswer(ctx, tx, caller, { command: 'answer:change', id, title: row.title })
    return toAnswer(row)
  })
}

/** Deletes a ready answer. Throws FORBIDDEN, NOT_FOUND. */
export async function removeAnswer(ctx: Context, caller: StaffCaller, { id }: { id: number }): Promise<void> {
  requireOperator(caller)
  await transaction(ctx.db, async (tx) => {
    const title = await deleteAnswer(tx, id)
    if (title === null) throw notFound()
    await auditAnswer(ctx, tx, caller, { command: 'answer:remove', id, title })
  })
}

/** Refuses unknown placeholders in a ready answer, which the buyer would see unchanged. Throws INVALID_INPUT. */
function requireKnownWords(written: Written): void {
  const errors: FieldErrors = {}
  for (const language of LOCALES) {
    const unknown = unknownWords(written[language])
    if (unknown.length > 0)
      errors[language] = [wordsOf('field.answerWords', { unknown: unknown.join(', '), known: KNOWN })]
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
}

async function named<T>(ctx: Context, work: (tx: Db) => Promise<T>): Promise<T> {
  return transaction(ctx.db, work).catch((error: unknown) => {
    if (isUniqueViolation(error, 'support_answers_title_unique')) throw answerExists()
    throw error
  })
}

async function auditAnswer(
  ctx: Context,
  tx: Db,
  caller: StaffCaller,
  { command, id, title }: { command: string; id: number; title: string },
): Promise<void> {
  await auditStaff(ctx, tx, caller, { command, subject: `answer:${id}`, detail: { title } })
}

function toAnswer(row: AnswerRow): Answer {
  return { id: row.id, title: row.title, ru: row.body_ru, en: row.body_en, changed_at: row.changed_at.toISOString() }
}
