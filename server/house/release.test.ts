import { execFileSync } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startTestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { readRelease } from './release.ts'

const SETTINGS = ['-c', 'user.name=t', '-c', 'user.email=t@t.test', '-c', 'commit.gpgsign=false']

test('the version is that of package.json, and the commit that of the root itself', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  await using folder = await temporaryFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder.root, ...SETTINGS, ...args], { encoding: 'utf8' })
  const commitOf = async (root: string) => {
    const release = await readRelease(pathToFileURL(`${root}/`))
    expect(release.version).toBe(version)
    return release.commit
  }
  expect(await commitOf(folder.root)).toBeNull()
  git('init', '--quiet')
  expect(await commitOf(folder.root)).toBeNull()
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  expect(await commitOf(folder.root)).toBe(git('rev-parse', 'HEAD').trim())
  await mkdir(folder.path('inner'))
  expect(await commitOf(folder.path('inner'))).toBeNull()
  git('worktree', 'add', '--quiet', folder.path('beside'))
  expect(await commitOf(folder.path('beside'))).toBe(git('rev-parse', 'HEAD').trim())
})

test('programs read the release from /healthz, metrics and settings of the site', async () => {
  const seen = async (commit: string | null) => {
    await using t = await startTestApp({ config: { release: { version: '1.2.3', commit } } })
    const settings = (await (await t.fetch('/api/content/settings')).json()) as { version: string }
    const metrics = await t.ctx.metrics.registry.metrics()
    const info = metrics.split('\n').filter((line) => line.startsWith('ringpost_build_info'))
    return [await (await t.fetch('/healthz')).json(), settings.version, info]
  }
  const metric = (commit: string) => [`ringpost_build_info{version="1.2.3",commit="${commit}"} 1`]
  expect(await seen('abc')).toEqual([{ status: true, version: '1.2.3', commit: 'abc' }, '1.2.3', metric('abc')])
  expect(await seen(null)).toEqual([{ status: true, version: '1.2.3', commit: null }, '1.2.3', metric('')])
})
