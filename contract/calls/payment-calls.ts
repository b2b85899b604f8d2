import type {
  PaymentInput,
  PaymentReply,
  PaymentsFilter,
  PaymentsHistory,
  PaymentsReply,
  VoucherReply,
} from '#contract/payment.ts'

type ByTransaction = { transaction_id: string }

export type PaymentCalls = {
  'GET /api/payments': { input: object; reply: PaymentsReply }
  'GET /api/payments-history': { input: PaymentsFilter; reply: PaymentsHistory }
  'POST /api/v1/payments': { input: PaymentInput; reply: PaymentReply }
  'GET /api/v1/payments/{transaction_id}': { input: ByTransaction; reply: PaymentReply }
  'POST /api/v1/payments/{transaction_id}/cancel': { input: ByTransaction; reply: PaymentReply }
  'POST /api/v1/vouchers': { input: { code: string }; reply: VoucherReply }
}
