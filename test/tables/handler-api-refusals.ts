import type { ServedName } from '#server/adapters/handler-api/wire/dialects.ts'

export const envelope = (title: string, info?: object) =>
  JSON.stringify({ title, details: title, ...(info && { info }) })
export const invalid = (field: string) =>
  JSON.stringify({ title: 'UNPROCESSABLE_ENTITY', details: 'Validation failed', info: { field, code: 'INVALID' } })
const filter = (what: string) => JSON.stringify({ status: 'false', msg: `${what} is incorrect` })
const rent = (message: string, info?: object) => JSON.stringify({ status: 'error', message, ...(info && { info }) })
export const tg = { service: 'tg', country: '2' }
const HOURS = [4, 24, 72, 168, 336, 720, 1440]

/** An action, parameters, the usual reply, and other replies by dialect. `real` is HeroSMS's HTTP status. */
type Row = [
  string,
  Record<string, string>,
  string,
  { hero?: string; real?: number } & Partial<Record<ServedName, string>>,
]

export const REFUSALS: Row[] = [
  [
    'nothing',
    {},
    'BAD_ACTION',
    { hero: JSON.stringify({ title: 'BAD_ACTION', details: 'Method Not Found' }), real: 404 },
  ],
  ...['getNumber', 'getNumberV2'].flatMap((action): Row[] => [
    [
      action,
      { ...tg, service: 'zzz' },
      'BAD_SERVICE',
      { hero: invalid('service'), real: 422, ...wrong('WRONG_SERVICE') },
    ],
    [action, { ...tg, country: '99999' }, 'BAD_COUNTRY', { hero: invalid('country'), real: 422 }],
    [action, { service: 'wa', country: '2' }, 'NO_NUMBERS', {}],
    [
      action,
      { ...tg, maxPrice: '1' },
      'WRONG_MAX_PRICE:13.00',
      { hero: envelope('WRONG_MAX_PRICE', { min: 13 }), real: 400 },
    ],
    [action, { ...tg, phoneException: '7' }, 'WRONG_EXCEPTION_PHONE', { hero: invalid('phoneException'), real: 422 }],
    [action, { ...tg, orderId: 'x'.repeat(101) }, 'BAD_DATA', { hero: invalid('data'), real: 422 }],
    [action, { service: 'ig', country: '2' }, 'NO_BALANCE', { hero: envelope('NO_BALANCE'), real: 402 }],
    ...['activationType', 'forward'].map((name): Row => [action, { ...tg, [name]: '1' }, 'NO_NUMBERS', {}]),
  ]),
  ['setStatus', { id: 'x', status: '8' }, 'WRONG_ACTIVATION_ID', { hero: envelope('NOT_FOUND'), real: 404 }],
  ['setStatus', { id: '5', status: '8' }, 'NO_ACTIVATION', { hero: envelope('NOT_FOUND'), real: 404 }],
  ['setStatus', { id: 'OPEN', status: '7' }, 'BAD_STATUS', { hero: envelope('BAD_STATUS'), real: 400 }],
  ...['setStatus', 'setStatusV2'].map((action): Row => {
    const hero = envelope('EARLY_CANCEL_DENIED', { minActivationTime: 120 })
    return [action, { id: 'OPEN', status: '8' }, 'EARLY_CANCEL_DENIED', { hero, real: 409 }]
  }),
  ['setStatus', { id: 'CODED', status: '8' }, 'BAD_STATUS', { hero: envelope('OTP_RECEIVED'), real: 409 }],
  ['getStatus', { id: '5' }, 'NO_ACTIVATION', { hero: envelope('NOT_FOUND'), real: 404 }],
  ['getStatusV2', { id: 'x' }, 'NO_ACTIVATION', { hero: envelope('NOT_FOUND'), real: 404 }],
  ['getAllSms', { id: '5' }, 'NO_ACTIVATION', { hero: envelope('NOT_FOUND'), real: 404 }],
  ['getPrices', { service: 'zzz' }, filter('service'), { smsbower: '{"error":"Bad service"}' }],
  ['getPricesV2', { country: '9999' }, filter('country'), { smsbower: '{"error":"Bad country"}' }],
  ['getPricesV3', { service: 'zzz' }, filter('service'), { smsbower: '{"error":"Bad service"}' }],
  [
    'getTopCountriesByService',
    { service: 'zzz' },
    'BAD_SERVICE',
    { hero: invalid('service'), real: 422, smsbower: '{"error":"BAD_SERVICE"}', smshub: 'WRONG_SERVICE' },
  ],
  [
    'getOperators',
    { country: '187' },
    'OPERATORS_NOT_FOUND',
    { smsbower: '{"status":"success","countryOperators":[]}' },
  ],
  ['getNumbersStatus', { country: 'x' }, 'BAD_COUNTRY', { hero: invalid('country'), real: 422 }],
  ['getHistory', { start: 'yesterday' }, 'WRONG_DATE', {}],
  ['getHistory', { start: '1', end: '9999999' }, 'WRONG_DATE', {}],
  ['getExtraActivation', { activationId: '5' }, 'WRONG_ACTIVATION_ID', { hero: envelope('NOT_FOUND'), real: 404 }],
  [
    'reactivate',
    { id: 'OPEN' },
    'RENEW_ACTIVATION_NOT_AVAILABLE',
    { hero: envelope('SERVICE_NOT_AVAILABLE'), real: 403 },
  ],
  ['getMultiServiceNumber', { multiService: 'tg,wa', country: '2' }, 'NOT_AVAILABLE', {}],
  ['getAdditionalService', { id: 'OPEN', service: 'wa' }, 'WRONG_ADDITIONAL_SERVICE', {}],
  ['getIncomingCallStatus', { activationId: 'OPEN' }, 'NOT_INCOMING', {}],
  ['parseCall', { id: 'OPEN' }, 'NO_CALL', {}],
  ['updateApiCurrency', { currency: '840' }, 'CURRENCY_CHANGE_UNAVAILABLE', {}],
  ['updateApiCurrency', { currency: 'usd' }, 'BAD_CURRENCY', {}],
  ['setMaxPrice', { ...tg, maxPrice: 'much' }, 'BAD_DATA', { hero: invalid('data'), real: 422 }],
  [
    'getRentNumber',
    { service: 'zzz', country: '2' },
    rent('BAD_SERVICE'),
    { hero: invalid('service'), real: 422, ...wrong(rent('WRONG_SERVICE')) },
  ],
  ['getRentNumber', { service: 'full', country: '2' }, rent('NO_NUMBERS'), { hero: envelope('NO_NUMBERS'), real: 404 }],
  [
    'getRentNumber',
    { service: 'full', country: '2', duration: 'x' },
    rent('INVALID_TIME'),
    { hero: envelope('BAD_DURATION', { min: 4, max: 1440, available_durations: HOURS }), real: 400 },
  ],
  ...['getRentNumber', 'serviceCountRent']
    .slice(0, 1)
    .map(
      (action): Row => [
        action,
        { service: 'full', country: '2', hours: '1441' },
        rent('MAX_HOURS_EXCEEDED', { max: 1440 }),
        { hero: envelope('MAX_HOURS_EXCEEDED', { max: 1440 }), real: 400 },
      ],
    ),
  ...[
    'continueRentNumber',
    'prolong',
    'continueRentInfo',
    'getContinueRentPriceNumber',
    'prolongOptions',
    'prolongHistory',
    'getRentStatus',
  ].flatMap((action): Row[] => [
    [action, { id: '5' }, rent('INVALID_PHONE'), { hero: envelope('NOT_FOUND'), real: 404 }],
    [
      action,
      {},
      rent('NO_ID_RENT'),
      {
        hero: JSON.stringify({
          title: 'UNPROCESSABLE_ENTITY',
          details: 'Validation failed',
          info: { field: 'id', code: 'REQUIRED' },
        }),
        real: 422,
      },
    ],
  ]),
]

function wrong(word: string): Partial<Record<ServedName, string>> {
  return { smsbower: word, smshub: word }
}
