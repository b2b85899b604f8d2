/** What staff are told. Part of the catalogue: see server/errors.ts. */
import { wordsOf } from '#server/error-words.ts'
import { AppError, plain } from '#server/errors.ts'

export const ownTicket = plain('OWN_TICKET', 403)
export const buyerDeleted = plain('BUYER_DELETED', 409)
export const nothingToRefund = plain('NOTHING_TO_REFUND', 409)
export const refundedBefore = plain('REFUNDED_BEFORE', 409)
export const answerExists = plain('ANSWER_EXISTS', 409)

function byColleague(code: 'TICKET_TAKEN' | 'TICKET_ANSWERED'): (name: string) => AppError {
  return (name) => new AppError({ code, httpStatus: 409, words: wordsOf(code, { name }), data: { name } })
}
export const ticketTaken = byColleague('TICKET_TAKEN')
export const ticketAnswered = byColleague('TICKET_ANSWERED')

export function refundCap(key: 'REFUND_CAP' | 'REFUND_CAP.day' | 'REFUND_CAP.operator', cap: string): AppError {
  return new AppError({ code: 'REFUND_CAP', httpStatus: 409, words: wordsOf(key, { cap }), data: { cap } })
}

export function tooManyAnswers(limit: number): AppError {
  return new AppError({
    code: 'TOO_MANY_ANSWERS',
    httpStatus: 409,
    words: wordsOf('TOO_MANY_ANSWERS', { limit }),
    data: { limit },
  })
}
