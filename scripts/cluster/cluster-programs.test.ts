import { expect, test } from 'vitest'
import { findClusterPrograms } from './cluster-programs.ts'

test('a machine without the programs of a cluster is told which Debian packages are missing', () => {
  expect(findClusterPrograms((name) => `/bin/${name}`)).toEqual({
    haproxy: '/bin/haproxy',
    redis: '/bin/redis-server',
    sentence: null,
  })
  expect(findClusterPrograms((name) => (name === 'haproxy' ? '/bin/haproxy' : undefined)).sentence).toBe(
    'npm run cluster needs these Debian packages, which are not installed: redis-server, postgresql-15.',
  )
})
