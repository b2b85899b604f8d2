import QRCode from 'qrcode'
import type { Locale } from '#contract/constants.ts'
import { bonusOf, feeOf } from '#contract/formats/payment-terms.ts'
import { toDecimal } from '#contract/money.ts'
import { OPEN_PAYMENT_STATES, type PaymentRecord, type PaymentState } from '#contract/payment.ts'
import type { Guidance } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'
import type { ShownPayment } from './queries/payments.ts'

/** The width of the empty margin that readers of QR codes need (ISO/IEC 18004). */
const QUIET_MODULES = 4
/** The maximum length of a text in a QR code; a code with more characters cannot be read from a screen. */
const MOST_IN_CODE = 1_000
/** The allowed URI schemes. The URI comes from a gateway, and other schemes could run scripts or lead elsewhere. */
const WALLET_URI = /^(?:bitcoin|lightning|ethereum|tron|litecoin):/i
const OPEN: readonly PaymentState[] = OPEN_PAYMENT_STATES

export async function toPaymentRecord(ctx: Context, row: ShownPayment, locale: Locale): Promise<PaymentRecord> {
  const system = gatewaysOf(ctx).describe(row.gateway_id, row.system)
  const isOpen = OPEN.includes(row.state)
  const { received_micros: received, refunded_micros: refunded } = row
  return {
    transaction_id: row.transaction_id,
    system: row.system,
    name: system?.names[locale] ?? row.system,
    mark: system?.mark ?? '',
    form: system?.form ?? row.guidance?.form ?? 'redirect',
    state: row.state,
    closed: row.is_closed,
    dispute: row.dispute,
    sum: toDecimal(row.amount_micros),
    currency: row.currency,
    fee: toDecimal(received > 0n ? row.fee_micros : feeOf(row.amount_micros, BigInt(row.fee_points))),
    bonus: toDecimal(row.paid_at === null ? promisedOf(row) : row.bonus_micros),
    received: toDecimal(received),
    refunded: toDecimal(refunded),
    credited: toDecimal(received + row.rounding_micros - row.fee_micros + row.bonus_micros - refunded),
    ...(await guidanceOf(isOpen ? row.guidance : null, toDecimal(row.amount_micros))),
    confirmations: row.confirmations,
    created_at: row.created_at.toISOString(),
    expired_at: row.expires_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  }
}

function promisedOf({ amount_micros: micros, bonus_points: points, promised_micros: ofRule }: ShownPayment): bigint {
  return bonusOf(micros, BigInt(points)) + ofRule
}

type Shown = Pick<
  PaymentRecord,
  'redirect_url' | 'address' | 'amount' | 'asset' | 'network' | 'qrCode' | 'wallet_url' | 'instructions'
>

async function guidanceOf(guidance: Guidance | null, amount: string): Promise<Shown> {
  const none: Shown = {
    redirect_url: null,
    address: null,
    amount,
    asset: null,
    network: null,
    qrCode: null,
    wallet_url: null,
    instructions: null,
  }
  switch (guidance?.form) {
    case 'redirect':
      return { ...none, redirect_url: guidance.url }
    case 'instructions': {
      const { reference, text, rows } = guidance
      return { ...none, instructions: { reference, text, rows } }
    }
    case 'transfer': {
      const { address, network, asset, uri, url } = guidance
      const qrCode =
        uri.length > MOST_IN_CODE ? null : await QRCode.toString(uri, { type: 'svg', margin: QUIET_MODULES })
      const wallet_url = WALLET_URI.test(uri) ? uri : null
      return {
        ...none,
        address,
        amount: guidance.amount,
        asset,
        network,
        qrCode,
        wallet_url,
        redirect_url: url ?? null,
      }
    }
    default:
      return none
  }
}
