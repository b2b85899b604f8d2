import { createHash } from 'node:crypto'
import { Redis as Client, Cluster, type RedisOptions } from 'ioredis'
import { SECOND } from '#contract/time.ts'
import type { Log } from '#server/house/log.ts'
import type { RedisAddress } from './addresses.ts'
import { type Hearer, Subscriptions } from './subscriptions.ts'
import { RedisTrouble } from './trouble.ts'

/** The maximum wait for an answer. A call that waits longer goes on without Redis. */
const ANSWER_LIMIT_MS = SECOND
const RECONNECT_MS = SECOND / 10
const MAX_RECONNECT_MS = SECOND
/** A person waits no longer, and the next calls do not ask at all for a while, so that a slow Redis slows nobody. */
const LATE_MS = SECOND / 2
const ALONE_MS = 5 * SECOND
const LATE = new Error('Redis answers too late')
/** The interval at which the connection of subscriptions is tried, because it may be silent for hours. */
const PING_MS = SECOND

/** A Lua script over one key. Redis runs it whole, before anything else. */
export type Script = { lua: string; sha: string }

/**
 * The Redis or Valkey that several nodes share. It has nothing that must survive it: every function goes on while Redis
 * is away.
 */
export type Redis = AsyncDisposable & {
  /** True while Redis answers and sends what others publish. */
  readonly isUp: boolean
  /** Runs a script on a key. Returns undefined if Redis is away or takes no writes. */
  run(script: Script, key: string, args: readonly (string | number)[]): Promise<unknown>
  /** Does the same for a call that somebody waits for. Returns undefined also while Redis is slow. */
  runPromptly(script: Script, key: string, args: readonly (string | number)[]): Promise<unknown>
  /** Publishes a message. Returns the number of connections that got it; 0 while Redis is away. */
  publish(channel: string, message: string): Promise<number>
  /** Subscribes to a channel, as soon as Redis answers. Returns the function that unsubscribes. */
  subscribe(channel: string, hearer: Hearer): () => void
}

export function createScript(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/**
 * Connects to Redis or Valkey, 7.0 or newer, without waiting for the connection. Every key and channel begins with
 * `prefix`, because all databases of one server share their channels.
 */
export function connectRedis({ address, prefix, log }: { address: RedisAddress; prefix: string; log: Log }): Redis {
  const calls = openClient(address)
  const news = calls instanceof Cluster ? calls : openClient(address)
  const clients = [...new Set([calls, news])]
  const trouble = new RedisTrouble(log)
  const subscriptions = new Subscriptions(news, trouble)
  const isUp = () => clients.every(({ status }) => status === 'ready')
  for (const client of clients) {
    client.on('error', (error: unknown) => trouble.away(error))
    client.on('close', () => trouble.away(null))
    client.on('ready', () => {
      if (isUp()) trouble.back()
    })
  }
  const pings = setInterval(() => {
    if (news.status === 'ready') news.ping().catch((error: unknown) => trouble.away(error))
  }, PING_MS).unref()
  const ask = async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    if (calls.status !== 'ready') return undefined
    try {
      const answer = await question()
      trouble.answered()
      return answer
    } catch (error) {
      trouble.failed(error)
      return undefined
    }
  }
  const run: Redis['run'] = (script, key, args) => ask(() => evaluate(calls, script, [prefix + key, ...args]))
  let aloneUntilMs = 0
  const runPromptly: Redis['run'] = async (...call) => {
    if (performance.now() < aloneUntilMs) return undefined
    const { promise: late, resolve } = Promise.withResolvers<Error>()
    const timer = setTimeout(() => resolve(LATE), LATE_MS)
    const answer = await Promise.race([run(...call), late])
    clearTimeout(timer)
    if (answer !== LATE) return answer
    aloneUntilMs = performance.now() + ALONE_MS
    trouble.refused(LATE)
    return undefined
  }
  return {
    get isUp() {
      return isUp()
    },
    run,
    runPromptly,
    publish: async (channel, message) => Number((await ask(() => calls.spublish(prefix + channel, message))) ?? 0),
    subscribe: (channel, hearer) => subscriptions.add(prefix + channel, hearer),
    async [Symbol.asyncDispose]() {
      clearInterval(pings)
      trouble.end()
      for (const client of clients) client.disconnect()
    },
  }
}

async function evaluate(client: Client | Cluster, { lua, sha }: Script, parts: (string | number)[]): Promise<unknown> {
  try {
    return await client.evalsha(sha, 1, ...parts)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return client.eval(lua, 1, ...parts)
  }
}

function openClient({ kind, places, isTls, username, password, database, name }: RedisAddress): Client | Cluster {
  const common = {
    connectionName: 'ringpost',
    disableClientInfo: true,
    connectTimeout: ANSWER_LIMIT_MS,
    socketTimeout: ANSWER_LIMIT_MS,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    ...(isTls && { tls: {} }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  } satisfies RedisOptions
  const reconnect = (tries: number) => Math.min(tries * RECONNECT_MS, MAX_RECONNECT_MS)
  if (kind === 'cluster') {
    return new Cluster(places, {
      redisOptions: common,
      enableOfflineQueue: false,
      shardedSubscribers: true,
      clusterRetryStrategy: reconnect,
    })
  }
  const [{ host, port }] = places
  const server = kind === 'one' ? { host, port } : { sentinels: places, name, sentinelRetryStrategy: reconnect }
  return new Client({ ...common, ...server, db: database, enableOfflineQueue: false, retryStrategy: reconnect })
}
