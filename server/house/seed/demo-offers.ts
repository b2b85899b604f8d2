import { hashText } from '#contract/formats/text-hash.ts'

/** The demo's offers: 60 services in 60 countries, with costs and stock like a real market, equal on every start. */

const serviceKopecks: Record<string, number> = {
  tg: 990,
  wa: 2760,
  vk: 1690,
  go: 1140,
  ig: 745,
  fb: 612,
  lf: 528,
  dr: 486,
  ds: 395,
  tw: 438,
  mm: 372,
  am: 867,
  wx: 1265,
  ya: 948,
  ma: 574,
  ok: 886,
  vi: 1432,
  mt: 683,
  oi: 1974,
  ot: 1090,
  sg: 1375,
  uu: 1248,
  ts: 1583,
  ub: 922,
  nf: 467,
  fu: 559,
  wb: 2945,
  me: 1816,
  mb: 284,
  tn: 794,
  qv: 961,
  acz: 1186,
  bxy: 2385,
  wf: 813,
  aon: 1624,
  bnl: 273,
  hw: 1473,
  ka: 638,
  hx: 459,
  dl: 347,
  jg: 526,
  xd: 392,
  ni: 448,
  ab: 563,
  qd: 1027,
  dh: 896,
  uk: 715,
  tx: 642,
  kt: 2258,
  mj: 1352,
  bw: 1194,
  re: 1736,
  abn: 1417,
  aor: 1298,
  ij: 1845,
  bo: 1573,
  fd: 538,
  ym: 724,
  we: 316,
  mo: 1487,
}

const countryPercent: Record<number, number> = {
  0: 112,
  187: 188,
  16: 96,
  2: 143,
  6: 42,
  12: 61,
  4: 48,
  22: 57,
  10: 46,
  1: 104,
  73: 71,
  7: 68,
  52: 63,
  15: 109,
  43: 216,
  78: 154,
  48: 117,
  36: 84,
  62: 138,
  40: 124,
  11: 107,
  128: 132,
  148: 141,
  51: 168,
  85: 98,
  33: 59,
  54: 73,
  56: 121,
  86: 147,
  8: 44,
  19: 49,
  32: 78,
  83: 94,
  63: 118,
  117: 87,
  46: 126,
  34: 91,
  49: 83,
  44: 88,
  163: 149,
  50: 163,
  84: 122,
  29: 113,
  129: 127,
  45: 111,
  141: 134,
  13: 103,
  95: 207,
  53: 172,
  21: 62,
  37: 58,
  31: 47,
  60: 53,
  66: 51,
  39: 69,
  151: 76,
  65: 66,
  14: 93,
  143: 129,
  35: 181,
}

export const demoServiceCodes: readonly string[] = Object.keys(serviceKopecks)
export const demoCountryIds: readonly number[] = Object.keys(countryPercent).map(Number)

const kopeckMicros = 10_000n
const costSpreadPercent = 12
const scarcePairEvery = 17

/** Returns the cost of a number in millionths of a rouble. Throws for a service or country outside the demo. */
export function demoCostMicros(serviceCode: string, countryId: number): bigint {
  const kopecks = serviceKopecks[serviceCode]
  const percent = countryPercent[countryId]
  if (kopecks === undefined || percent === undefined) throw notInDemo(serviceCode, countryId)
  const stray = (hashText(`cost ${serviceCode} ${countryId}`) % (2 * costSpreadPercent + 1)) - costSpreadPercent
  return BigInt(Math.round((kopecks * percent * (100 + stray)) / 10_000)) * kopeckMicros
}

/** Returns the stock of a service in a country, small for expensive services. Throws outside the demo. */
export function demoStock(serviceCode: string, countryId: number): number {
  const kopecks = serviceKopecks[serviceCode]
  if (kopecks === undefined || countryPercent[countryId] === undefined) throw notInDemo(serviceCode, countryId)
  const chance = hashText(`stock ${serviceCode} ${countryId}`)
  if (chance % scarcePairEvery === 0) return 1 + ((chance >>> 8) % 9)
  return 40 + Math.floor((((chance >>> 8) % 10_000) * 20) / kopecks)
}

function notInDemo(serviceCode: string, countryId: number): RangeError {
  return new RangeError(`the demo has no offer for ${serviceCode} in country ${countryId}`)
}
