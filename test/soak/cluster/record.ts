import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** A line of the clients' record: what the service acknowledged, or what the world sent. `at` is in milliseconds. */
export type Line =
  | {
      t: 'bought'
      at: number
      user: number
      id: number
      phone: string
      service: string
      price: string
      by: string
      key?: string
    }
  | { t: 'cancelled'; at: number; askedAt: number; id: number }
  | { t: 'sent'; at: number; id: number; code: string }
  | { t: 'code'; at: number; id: number; code: string; by: Way }
  | { t: 'tried'; at: number; voucher: string; user: number }
  | { t: 'redeemed'; at: number; voucher: string; user: number }
  | { t: 'rented'; at: number; user: number; id: number; phone: string }
  | { t: 'rent-cancelled'; at: number; id: number }

/** How a code reached its buyer. */
export type Way = 'page' | 'call'
type Of<Kind extends Line['t']> = Extract<Line, { t: Kind }>
export type Bought = Of<'bought'>

/** The record, in memory and in a file of JSON lines, which the next piece reads. */
export class Record {
  readonly bought = new Map<number, Bought>()
  readonly cancelled = new Map<number, Of<'cancelled'>>()
  readonly sent = new Map<number, Of<'sent'>>()
  readonly codes = new Map<string, Of<'code'>>()
  readonly redeemed = new Map<string, Of<'redeemed'>>()
  readonly tried = new Map<string, Of<'tried'>>()
  readonly rented = new Map<number, Of<'rented'>>()
  readonly rentCancelled = new Map<number, Of<'rent-cancelled'>>()
  /** The orders whose buyer wants no code. */
  readonly givenBack = new Set<number>()
  /** Acknowledgements that contradict each other, found at once. */
  readonly contradictions: string[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    // A piece that was killed may leave half a line at the end.
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
    for (const line of lines.filter(Boolean)) this.#take(JSON.parse(line) as Line)
    if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
  }

  add(line: Line): void {
    this.#take(line)
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  codeOf(id: number, by: Way): Of<'code'> | undefined {
    return this.codes.get(`${id} ${by}`)
  }

  #take(line: Line): void {
    switch (line.t) {
      case 'bought': {
        const before = this.bought.get(line.id)
        if (before !== undefined && (before.user !== line.user || before.phone !== line.phone)) {
          this.contradictions.push(`order ${line.id} was acknowledged as ${before.phone} and as ${line.phone}`)
        }
        if (before === undefined) this.bought.set(line.id, line)
        return
      }
      case 'cancelled':
        this.cancelled.set(line.id, line)
        return
      case 'sent':
        this.sent.set(line.id, line)
        return
      case 'code': {
        const before = [this.codeOf(line.id, 'page'), this.codeOf(line.id, 'call')].find((one) => one !== undefined)
        if (before !== undefined && before.code !== line.code) {
          this.contradictions.push(`order ${line.id} got the code ${before.code} and the code ${line.code}`)
        }
        const key = `${line.id} ${line.by}`
        if (!this.codes.has(key)) this.codes.set(key, line)
        return
      }
      case 'tried':
        this.tried.set(line.voucher, line)
        return
      case 'redeemed':
        this.redeemed.set(line.voucher, line)
        return
      case 'rented':
        this.rented.set(line.id, line)
        return
      case 'rent-cancelled':
        this.rentCancelled.set(line.id, line)
        return
      default:
        line satisfies never
    }
  }
}
