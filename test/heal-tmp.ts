import { readFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { preparePlace } from '#server/db/embedded/postgres-place.ts'
import { startMain } from './fakes/main-process.ts'
const dir = await mkdtemp('/tmp/heal-')
const m = startMain({ DEMO: '1', DATA_DIR: dir })
const url = await m.url
const { dataFolder } = await preparePlace(dir)
const pid = async () => Number.parseInt(await readFile(join(dataFolder, 'postmaster.pid'), 'utf8'), 10)
const times: number[] = []
for (let i = 0; i < 5; i++) {
  if (i) await new Promise((r) => setTimeout(r, 62000))
  const p = await pid()
  const t = performance.now()
  process.kill(p, 'SIGKILL')
  for (;;) {
    const r = await fetch(`${url}/readyz`).then((x) => x.status, () => 0)
    const q = await pid().catch(() => p)
    if (r === 200 && q !== p) break
    await new Promise((r) => setTimeout(r, 50))
  }
  times.push(Math.round(performance.now() - t))
}
console.log(times)
m.kill('SIGTERM')
console.log((await m.ended).code)
process.exit(0)
