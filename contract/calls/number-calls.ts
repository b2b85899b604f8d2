import { z } from 'zod'
import {
  activationInputSchema,
  activationReplySchema,
  activeNumbersSchema,
  anotherNumberInputSchema,
  bulkInputSchema,
  bulkReplySchema,
  numbersFilterSchema,
  purchaseInputSchema,
} from '#contract/activation.ts'
import {
  lastSaleFilterSchema,
  lastSaleReplySchema,
  preorderInputSchema,
  preorderReplySchema,
  preordersReplySchema,
} from '#contract/preorder.ts'
import {
  activeRentNumbersSchema,
  extendInputSchema,
  extensionsReplySchema,
  latestPurchasesSchema,
  rentalReplySchema,
  rentInputSchema,
} from '#contract/rental.ts'
import { BUYER, byId, type DeclaredCalls, nothing, READER, REAL_BUYER, REAL_READER } from './call.ts'

export const activations = {
  active: { key: 'GET /api/user/active-numbers', who: READER, input: numbersFilterSchema, reply: activeNumbersSchema },
  latest: { key: 'GET /api/user/latest-purchases', who: READER, input: nothing, reply: latestPurchasesSchema },
  buy: {
    key: 'POST /api/v1/activations',
    who: BUYER,
    input: purchaseInputSchema,
    reply: activationReplySchema,
    status: 201,
    onceByKey: true,
  },
  buyMany: {
    key: 'POST /api/v1/activations/bulk',
    who: BUYER,
    input: bulkInputSchema,
    reply: bulkReplySchema,
    onceByKey: true,
  },
  one: { key: 'GET /api/v1/activations/{id}', who: READER, input: activationInputSchema, reply: activationReplySchema },
  cancel: { key: 'POST /api/v1/activations/{id}/cancel', who: BUYER, input: byId, reply: activationReplySchema },
  again: { key: 'POST /api/v1/activations/{id}/again', who: BUYER, input: byId, reply: activationReplySchema },
  finish: { key: 'POST /api/v1/activations/{id}/finish', who: BUYER, input: byId, reply: activationReplySchema },
  used: { key: 'POST /api/v1/activations/{id}/used', who: BUYER, input: byId, reply: activationReplySchema },
  open: { key: 'POST /api/v1/activations/{id}/open', who: BUYER, input: byId, reply: activationReplySchema },
  notMyCode: {
    key: 'POST /api/v1/activations/{id}/not-my-code',
    who: BUYER,
    input: byId,
    reply: activationReplySchema,
  },
  replace: {
    key: 'POST /api/v1/activations/{id}/replace',
    who: BUYER,
    input: anotherNumberInputSchema,
    reply: activationReplySchema,
    status: 201,
    onceByKey: true,
  },
  repeat: {
    key: 'POST /api/v1/activations/{id}/repeat',
    who: BUYER,
    input: anotherNumberInputSchema,
    reply: activationReplySchema,
    status: 201,
    onceByKey: true,
  },
} as const satisfies DeclaredCalls

export const rentals = {
  active: {
    key: 'GET /api/user/active-rent-numbers',
    who: READER,
    // If `ended` is '1', the reply lists ended rentals instead of active ones.
    input: numbersFilterSchema.extend({ ended: z.literal('1').optional() }),
    reply: activeRentNumbersSchema,
  },
  latest: { key: 'GET /api/user/latest-rent-purchases', who: READER, input: nothing, reply: latestPurchasesSchema },
  rent: {
    key: 'POST /api/v1/rentals',
    who: BUYER,
    input: rentInputSchema,
    reply: rentalReplySchema,
    status: 201,
    onceByKey: true,
  },
  one: { key: 'GET /api/v1/rentals/{id}', who: READER, input: byId, reply: rentalReplySchema },
  cancel: { key: 'POST /api/v1/rentals/{id}/cancel', who: BUYER, input: byId, reply: rentalReplySchema },
  finish: { key: 'POST /api/v1/rentals/{id}/finish', who: BUYER, input: byId, reply: rentalReplySchema },
  extensions: { key: 'GET /api/v1/rentals/{id}/extensions', who: READER, input: byId, reply: extensionsReplySchema },
  extend: {
    key: 'POST /api/v1/rentals/{id}/extend',
    who: BUYER,
    input: extendInputSchema,
    reply: rentalReplySchema,
    onceByKey: true,
  },
} as const satisfies DeclaredCalls

export const preorders = {
  create: {
    key: 'POST /api/v1/preorders',
    who: REAL_BUYER,
    input: preorderInputSchema,
    reply: preorderReplySchema,
    status: 201,
    onceByKey: true,
  },
  list: { key: 'GET /api/v1/preorders', who: REAL_READER, input: nothing, reply: preordersReplySchema },
  lastSale: {
    key: 'GET /api/v1/preorders/last-sale',
    who: REAL_READER,
    input: lastSaleFilterSchema,
    reply: lastSaleReplySchema,
  },
  cancel: { key: 'POST /api/v1/preorders/{id}/cancel', who: REAL_BUYER, input: byId, reply: preorderReplySchema },
} as const satisfies DeclaredCalls
