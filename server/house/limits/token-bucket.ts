import { createScript } from '#server/house/redis/redis.ts'

const MICROSECONDS = 1_000

/** If no token is left, a caller may take one in advance if it waits at most `longestWaitMs` for its turn. */
export type RateOptions = { burst: number; refillMs: number; longestWaitMs?: number }

/** The times of a bucket are whole microseconds, which Redis counts in and which no sum rounds. */
export type Rate = { burst: number; refillUs: number; burstUs: number; mostUs: number }

/** A bucket of this process. A clock that is set back changes nothing of what it owes. */
export type Bucket = { owedUs: number; atUs: number }

export function fullBucket(): Bucket {
  return { owedUs: 0, atUs: 0 }
}

/** A change of what a bucket owes. It is refused if the bucket would owe more than `allowedUs`. */
export type Move = { costUs: number; allowedUs: number; mostUs: number }

/** `missingUs` is the time until the move is allowed; 0 if it was made. */
export type Moved = { missingUs: number; owedUs: number }

/** Returns a rate, or one node's share of it. */
export function rateOf({ burst, refillMs, longestWaitMs = 0 }: RateOptions, nodes = 1): Rate {
  const share = nodes === 1 ? burst : Math.max(1, Math.floor(burst / nodes))
  const refillUs = Math.max(1, Math.floor(toUs(refillMs * nodes)))
  const burstUs = Math.round(share * refillUs)
  return { burst: share, refillUs, burstUs, mostUs: burstUs + toUs(longestWaitMs) }
}

export function toUs(ms: number): number {
  return ms * MICROSECONDS
}

export function toMs(us: number): number {
  return Math.ceil(us / MICROSECONDS)
}

/** Takes one token if `kept` others are left. */
export function takeOne({ refillUs, mostUs }: Rate, kept: number): Move {
  return { costUs: refillUs, allowedUs: mostUs - kept * refillUs, mostUs }
}

export function giveBackOne({ refillUs, mostUs }: Rate): Move {
  return { costUs: -refillUs, allowedUs: mostUs, mostUs }
}

export function moveBucket(bucket: Bucket, nowUs: number, { costUs, allowedUs, mostUs }: Move): Moved {
  const elapsedUs = Math.max(0, nowUs - bucket.atUs)
  const beforeUs = Math.min(Math.max(0, bucket.owedUs - elapsedUs), mostUs)
  const missingUs = Math.max(0, beforeUs + costUs - allowedUs)
  const owedUs = missingUs > 0 ? beforeUs : Math.max(0, beforeUs + costUs)
  bucket.owedUs = owedUs
  bucket.atUs = nowUs
  return { missingUs, owedUs }
}

/**
 * Does the same as `moveBucket`, by the time of Redis. The key holds the time at which the bucket is full again, and goes
 * then. ARGV is `costUs`, `allowedUs` and `mostUs`.
 */
export const MOVE = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost, allowed, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = math.min(math.max(0, tonumber(redis.call('GET', KEYS[1]) or now) - now), most)
if before + cost > allowed then return {before + cost - allowed, before} end
local owed = math.max(0, before + cost)
if owed == 0 then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], string.format('%.0f', now + owed), 'PX', math.ceil(owed / 1000))
end
return {0, owed}`)
