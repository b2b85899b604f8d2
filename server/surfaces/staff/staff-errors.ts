import { AppError, plain } from '#server/house/errors/errors.ts'

export const ownTicket = plain('OWN_TICKET')
export const buyerDeleted = plain('BUYER_DELETED')
export const nothingToRefund = plain('NOTHING_TO_REFUND')
export const refundedBefore = plain('REFUNDED_BEFORE')
export const answerExists = plain('ANSWER_EXISTS')

function byColleague(code: 'TICKET_TAKEN' | 'TICKET_ANSWERED'): (name: string) => AppError {
  return (name) => new AppError(code, { values: { name }, data: { name } })
}
export const ticketTaken = byColleague('TICKET_TAKEN')
export const ticketAnswered = byColleague('TICKET_ANSWERED')

export function refundCap(key: 'REFUND_CAP' | 'REFUND_CAP.day' | 'REFUND_CAP.operator', cap: string): AppError {
  return new AppError(key, { values: { cap }, data: { cap } })
}

export function tooManyAnswers(limit: number): AppError {
  return new AppError('TOO_MANY_ANSWERS', { values: { limit }, data: { limit } })
}
