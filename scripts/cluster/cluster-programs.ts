import { DEBIAN_BIN } from '#test/harness/postgres/debian-postgres.ts'
import { findProgram } from '#test/harness/programs.ts'

/** Finds the programs of a cluster. `sentence` names the Debian packages that are missing. */
export function findClusterPrograms(find = findProgram): { haproxy: string; redis: string; sentence: string | null } {
  const found = {
    haproxy: find('haproxy'),
    'redis-server': find('redis-server'),
    'postgresql-15': find('pg_basebackup', [DEBIAN_BIN]),
  }
  const missing = Object.entries(found).flatMap(([name, path]) => (path === undefined ? [name] : []))
  const sentence = `npm run cluster needs these Debian packages, which are not installed: ${missing.join(', ')}.`
  return {
    haproxy: found.haproxy ?? '',
    redis: found['redis-server'] ?? '',
    sentence: missing.length === 0 ? null : sentence,
  }
}
