import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { HDKey } from '@scure/bip32'
import { expect, test } from 'vitest'
import { readConfig } from '#server/house/config/config.ts'
import { createMetrics } from '#server/house/http/door/metrics.ts'
import { openTestPool } from '#test/books/books.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { hasDebianPostgres, makeCluster, runTool, toolFolder } from '#test/harness/postgres/debian-postgres.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { type TemporaryFolder, temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { readPriceFile } from './prices/price-file.ts'

const ROOT = new URL('../../../', import.meta.url)
const OPERATIONS = 'docs/operations/'
const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 1)).derive("m/44'/60'/0'").publicExtendedKey

type Block = { where: string; word: string; text: string; before: string }

const PROVED = [
  'sh',
  'env',
  'systemd',
  'nginx',
  'caddy',
  'crontab',
  'json',
  'csv',
  'postgresql',
  'prometheus',
  'prometheus-rules',
]

test('each block of the operations pages says what it is, and there is a proof for it', async () => {
  const words = (await operationsBlocks()).map(({ word }) => word)
  expect(words.length).toBeGreaterThan(20)
  expect(words.filter((word) => !PROVED.includes(word))).toEqual([])
})

const nginx = requireProgram('nginx')
const openssl = requireProgram('openssl')
test.skipIf(nginx === undefined || openssl === undefined)(
  'OP-2: nginx takes the file that is written out for it',
  async () => {
    await using folder = await temporaryFolder()
    const letsencrypt = await makeCertificate(folder)
    const written = (await blockOf('nginx')).text
      .replaceAll('/etc/letsencrypt/live/numbers.example', letsencrypt)
      .replaceAll('/var/log/nginx', folder.root)
      // Port 443 is replaced, because only root may open ports below 1024.
      .replace('listen 443', 'listen 44443')
    await writeFile(folder.path('ringpost.conf'), written)
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder.root};`)
    const http = [...kept, 'access_log off;', `include ${folder.path('ringpost.conf')};`].join('\n')
    const whole = `pid ${folder.path('pid')};\nevents {}\nhttp { ${http} }\n`
    await writeFile(folder.path('nginx.conf'), whole)
    const error = folder.path('error.log')
    expectRuns(nginx, ['-t', '-p', folder.root, '-e', error, '-c', folder.path('nginx.conf')])
  },
)

const caddy = requireProgram('caddy')
test.skipIf(caddy === undefined)('Caddy takes the file that is written out for it', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.path('Caddyfile'), (await blockOf('caddy')).text)
  const home = { HOME: folder.root, XDG_DATA_HOME: folder.root, XDG_CONFIG_HOME: folder.root }
  expectRuns(caddy, ['validate', '--adapter', 'caddyfile', '--config', folder.path('Caddyfile')], home)
})

const analyze = requireProgram('systemd-analyze')
test.skipIf(analyze === undefined)('systemd takes the units that are written out for it', async () => {
  await using folder = await temporaryFolder()
  const node = folder.path('node_modules/.bin/node')
  await mkdir(folder.path('node_modules/.bin'), { recursive: true })
  await writeFile(node, '#!/bin/sh\n', { mode: 0o755 })
  await writeFile(folder.path('ringpost.env'), '')
  const units = (await operationsBlocks()).filter(({ word }) => word === 'systemd')
  for (const { text, before } of units) {
    const [name = ''] = before.match(/ringpost\.(?:socket|service)(?=`)/gu)?.slice(-1) ?? []
    const here = text
      .replaceAll('/srv/ringpost', folder.root)
      .replaceAll('/etc/ringpost.env', folder.path('ringpost.env'))
      // The user of the unit is replaced, because only the real machine has `ringpost`.
      .replace('User=ringpost', 'User=daemon')
    await writeFile(folder.path(name), here)
  }
  const said = expectRuns(analyze, [
    'verify',
    '--man=no',
    folder.path('ringpost.socket'),
    folder.path('ringpost.service'),
  ])
  // systemd also reports faults of this machine's other units.
  expect(said.split('\n').filter((line) => line.includes('ringpost'))).toEqual([])
})

const promtool = requireProgram('promtool')
test.skipIf(promtool === undefined)(
  'Prometheus takes its file and the rules, which name metrics that there are',
  async () => {
    await using folder = await temporaryFolder()
    const rules = (await blockOf('prometheus-rules')).text
    await writeFile(folder.path('prometheus.yml'), (await blockOf('prometheus')).text)
    await writeFile(folder.path('ringpost.rules.yml'), rules)
    expectRuns(promtool, ['check', 'config', folder.path('prometheus.yml')])
    const there = await createMetrics().registry.metrics()
    const named = [...rules.matchAll(/ringpost_\w+/gu)].map(([name]) => name.replace(/_bucket$/u, ''))
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((name) => !there.includes(`# TYPE ${name} `))).toEqual([])
  },
)

const curl = requireProgram('curl')
test.skipIf(curl === undefined)(
  'OP-7: the watcher outside is silent while the service is ready, and rings when its database is not',
  async () => {
    await using t = await startTestApp()
    const lines = (await blockOf('crontab')).text.trim().split('\n')
    expect(lines[0]).toMatch(/^MAILTO=\S+@\S+$/u)
    const [, command = ''] = /^(?:\S+ ){5}(.*)$/u.exec(lines[1] ?? '') ?? []
    const here = command.replace('https://numbers.example', t.url)
    expect(here).toContain(`${t.url}/readyz`)
    expect(await inShell(here)).toEqual({ code: 0, said: '' })
    await t.ctx.db.query({ text: `DELETE FROM schema_migrations WHERE name = '0001_house.sql'` })
    expect(await inShell(here)).toMatchObject({ code: 22, said: expect.stringContaining('503') })
  },
)

test('the file of settings is enough for the server', async () => {
  const { text } = await blockOf('env')
  const pairs = text
    .trim()
    .split('\n')
    .map((line) => /^\s*([A-Z_]+)=(\S+)/u.exec(line) ?? [])
  const environment = Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, value.replace('…', 's'.repeat(64))]),
  )
  expect(readConfig(environment).config.publicUrl.href).toBe('https://numbers.example/')
})

test('each file of settings in the operations pages is taken by the command that names it', async () => {
  await using folder = await temporaryFolder()
  await using pool = await openTestPool()
  const blocks = (await operationsBlocks()).filter(({ text }) => /^(?:\{|cat > \w+\.json)/u.test(text))
  for (const { where, text, before } of blocks) {
    const page = await readFile(new URL(where, ROOT), 'utf8')
    const [, here] = /^cat > \S+ <<'EOF'\n(.*?)\nEOF\n/su.exec(text) ?? []
    const [name = ''] = /^cat > (\w+\.json)/u.exec(text)?.slice(1) ?? before.match(/\w+\.json(?=`)/gu)?.slice(-1) ?? []
    await writeFile(folder.path(name), (here ?? text).replaceAll('xpub…', XPUB).replaceAll('…', 'x'.repeat(40)))
    const [command] = page.match(new RegExp(`gateway:add [^\`\\n]*@${name}`, 'u')) ?? [`nothing names ${name}`]
    const words = command.replace(`@${name}`, `@${folder.path(name)}`).split(' ')
    expect(await typed(pool, ...words, ...WHY), command).toMatchObject({ code: 0, err: '' })
  }
  expect(blocks.length).toBeGreaterThan(5)
})

test('the file of prices is read', async () => {
  const { text } = await blockOf('csv')
  await using folder = await temporaryFolder()
  await writeFile(folder.path('prices.csv'), text)
  expect((await readPriceFile(folder.path('prices.csv'), new Date('2026-01-01'))).length).toBe(
    text.trim().split('\n').length - 1,
  )
})

const isLackingPostgres = !hasDebianPostgres()
test.skipIf(isLackingPostgres)('PostgreSQL takes the lines for its configuration (needs postgresql-15)', async () => {
  await using folder = await toolFolder()
  const blocks = (await operationsBlocks()).filter(({ word }) => word === 'postgresql')
  const data = folder.path('data')
  await makeCluster(data)
  const configuration = `${data}/postgresql.conf`
  const begun = await readFile(configuration, 'utf8')
  for (const { text } of blocks) {
    await writeFile(configuration, `${begun}\n${text}`)
    for (const [, name = ''] of text.matchAll(/^\s*(\w+) = /gmu)) {
      expect((await runTool('postgres', ['-C', name, '-D', data])).stdout).toMatch(/\S/u)
    }
  }
})

const bash = requireProgram('bash')
test.skipIf(bash === undefined)('a shell can read each command of the documents', async () => {
  const paths = (await readdir(new URL('docs/', ROOT), { recursive: true })).filter((path) => path.endsWith('.md'))
  const blocks = await blocksOfAll(paths.map((path) => `docs/${path}`))
  const commands = blocks.filter(({ word }) => word === 'sh' || word.startsWith('sh '))
  expect(commands.length).toBeGreaterThan(20)
  for (const { where, text } of commands) {
    const { status, stderr } = spawnSync(bash ?? '', ['-n'], { input: text, encoding: 'utf8' })
    expect([where, text, status, stderr]).toEqual([where, text, 0, ''])
  }
})

async function operationsBlocks(): Promise<Block[]> {
  const names = await readdir(new URL(OPERATIONS, ROOT))
  return blocksOfAll(names.toSorted().map((name) => `${OPERATIONS}${name}`))
}

async function blocksOfAll(paths: string[]): Promise<Block[]> {
  return (await Promise.all(paths.map(blocksOf))).flat()
}

async function blocksOf(path: string): Promise<Block[]> {
  const page = await readFile(new URL(path, ROOT), 'utf8')
  const parts = page.split(/^( *)```/mu)
  return parts.flatMap((part, at) => {
    if (at % 4 !== 2) return []
    const end = part.indexOf('\n')
    const text = part.slice(end + 1).replaceAll(new RegExp(`^${parts[at - 1]}`, 'gmu'), '')
    return [{ where: path, word: part.slice(0, end), text, before: parts[at - 2] ?? '' }]
  })
}

async function blockOf(word: string): Promise<Block> {
  const found = (await operationsBlocks()).find((block) => block.word === word)
  if (found === undefined) throw new Error(`docs/operations/ has no block of ${word}`)
  return found
}

async function makeCertificate(folder: TemporaryFolder): Promise<string> {
  const [key, cert] = [folder.path('privkey.pem'), folder.path('fullchain.pem')]
  const subject = ['-subj', '/CN=numbers.example', '-days', '2']
  expectRuns(openssl ?? '', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject])
  return folder.root
}

function expectRuns(program = '', words: readonly string[] = [], environment: Record<string, string> = {}): string {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', env })
  const said = `${stdout}${stderr}`
  expect([status, said]).toEqual([0, expect.any(String)])
  return said
}

/** The shell runs asynchronously, because this process also runs the server that answers it. */
async function inShell(command: string): Promise<{ code: number; said: string }> {
  const child = spawn('sh', ['-c', command])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}
