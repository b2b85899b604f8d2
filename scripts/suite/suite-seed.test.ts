import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { suiteSeed } from './suite-seed.ts'

test('a run draws by what it is told, else by the commit, else by the sources', async () => {
  await using folder = await temporaryFolder()
  await mkdir(folder.path('server/house/money'), { recursive: true })
  await writeFile(folder.path('server/house/money/verify.ts'), 'one')
  const seed = () => suiteSeed({}, folder.root)
  const bySources = seed()
  expect(bySources).toMatch(/^[0-9a-f]{12}$/)
  expect(seed()).toBe(bySources)
  await writeFile(folder.path('server/house/money/verify.ts'), 'another')
  expect(seed()).not.toBe(bySources)

  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder.root, encoding: 'utf8' })
  git('init', '--quiet')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--allow-empty', '--message', 'first')
  expect(seed()).toBe(git('rev-parse', '--short=12', 'HEAD').trim())
  expect(suiteSeed({ SEED: '4f2a' }, folder.root)).toBe('4f2a')
  await mkdir(folder.path('copy/server'), { recursive: true })
  expect(suiteSeed({}, folder.path('copy'))).not.toBe(seed())
})
