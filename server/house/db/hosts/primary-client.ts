import pg from 'pg'
import { isDatabaseAway, isUndefinedFunction } from '#server/house/db/constraint.ts'
import { hostUrls } from './host-urls.ts'

/** The longest time in ms in which all hosts are tried. It is shorter than a pool's wait for a connection. */
const FIND_LIMIT_MS = 4_500

/** Finds which of several hosts takes writes. A single host is never asked. */
export class Primary {
  readonly urls: readonly [string, ...string[]]
  #last: string
  #doubtful: boolean
  #finding: Promise<string> | null = null

  constructor(connectionString: string) {
    this.urls = hostUrls(connectionString)
    this.#last = this.urls[0]
    this.#doubtful = this.isChosen
  }

  /** True if there are several hosts to choose from. */
  get isChosen(): boolean {
    return this.urls.length > 1
  }

  /** Records a lost connection or a refused write, after which the next connection asks the hosts again. */
  doubt(): void {
    this.#doubtful = this.isChosen
  }

  async find(): Promise<string> {
    if (!this.#doubtful) return this.#last
    this.#finding ??= this.#search().finally(() => {
      this.#finding = null
    })
    return this.#finding
  }

  async #search(): Promise<string> {
    const reasons: string[] = []
    for (const url of new Set([this.#last, ...this.urls])) {
      const { host, port } = new pg.Client({ connectionString: url })
      const reason = await whyNot(url, FIND_LIMIT_MS / this.urls.length)
      if (reason === null) {
        this.#last = url
        this.#doubtful = false
        return url
      }
      reasons.push(`${host}:${port} ${reason}`)
    }
    throw new Error(`no host of the database takes writes: ${reasons.join(', ')}`)
  }
}

/** Returns why a host is passed over, or null. As in libpq, a refused password or database ends the search. */
async function whyNot(connectionString: string, limitMs: number): Promise<string | null> {
  const limits = { connectionTimeoutMillis: limitMs / 2, query_timeout: limitMs / 2 }
  const client = new pg.Client({ connectionString, application_name: 'ringpost primary', ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'off') return 'takes no writes'
    // Before anybody writes at a new primary, the ids that the old one may have given are left out.
    await client.query('SELECT note_timeline()').catch((error: unknown) => {
      if (!isUndefinedFunction(error)) throw error
    })
    return null
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    return `does not answer (${error instanceof Error ? error.message : String(error)})`
  } finally {
    // The end of a silent connection is not awaited.
    client.end().catch(() => undefined)
  }
}

type Connected = (error: Error | null, client?: pg.Client) => void

/** A connection to the host that takes writes. Its owner must listen to `error`, as for any client of pg. */
export class PrimaryClient extends pg.Client {
  readonly primary: Primary

  constructor(config: pg.ClientConfig = {}, primary = new Primary(config.connectionString ?? '')) {
    super({ ...config, connectionString: primary.urls[0] })
    this.primary = primary
    if (primary.isChosen) this.on('error', () => primary.doubt())
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (this.primary.isChosen) {
      const opened = this.#open()
      if (callback === undefined) return opened
      opened.then((client) => callback(null, client), callback)
    } else {
      if (callback === undefined) return super.connect()
      // The cast is needed because pg types the callback of a failure and that of a success apart.
      super.connect(callback as (error: Error) => void)
    }
    return undefined
  }

  async #open(): Promise<pg.Client> {
    const found = new pg.Client({ connectionString: await this.primary.find() })
    this.host = found.host
    this.port = found.port
    try {
      return await super.connect()
    } catch (error) {
      this.primary.doubt()
      throw error
    }
  }
}
