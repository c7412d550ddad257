import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { createStorage } from 'unstorage'
import redisDriver from 'unstorage/drivers/redis'
import { type Lock, sharedResults } from './shared.js'

const url = process.env.REDIS_URL ?? 'redis://localhost'

/** Deletes a lock if it is still ours. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`

function redisLock(redis: Redis, lease: number): Lock {
  return async (key) => {
    const token = randomUUID()
    const name = `lock:${key}`
    const answer = await redis.set(name, token, 'PX', lease, 'NX')
    return answer === 'OK'
      ? () => redis.eval(RELEASE, 1, name, token)
      : undefined
  }
}

export const shared = sharedResults({
  storage: createStorage({ driver: redisDriver({ url, base: 'results' }) }),
  lock: redisLock(new Redis(url), 10_000), // longer than the API takes
  lifetime: 60_000,
})
