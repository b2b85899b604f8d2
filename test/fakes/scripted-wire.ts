import type {
  BoughtNumber,
  Ending,
  HeldNumber,
  PurchaseOrder,
  RefusedPurchase,
} from '#server/core/suppliers/supplier.ts'

/** A request of the service to its supplier in the parent process, sent over the IPC channel. */
export type Question =
  | { method: 'buy'; order: PurchaseOrder }
  | { method: 'find'; reference: string }
  | { method: 'askAgain'; number: HeldNumber }
  | { method: 'end'; number: HeldNumber; ending: Ending }

export type Answer = BoughtNumber | RefusedPurchase | { outcome: 'none' } | boolean | null

export type PushedSms = { messageId: string; phone: string; text: string }

export type FromProcess =
  | { kind: 'ready'; url: string }
  | { kind: 'connected' }
  | { kind: 'ask'; call: number; question: Question }
  | { kind: 'acknowledged'; messageId: string }
  | { kind: 'refused'; messageId: string; reason: string }

export type ToProcess =
  | { kind: 'answer'; call: number; answer: Answer }
  | { kind: 'failed'; call: number; reason: string }
  | { kind: 'sms'; sms: PushedSms }
