import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { writeWhole } from './write-whole.ts'

test('a file is private and whole; one that cannot be written leaves the old one and no remains', async () => {
  await using folder = await temporaryDataDir()
  const file = join(folder.dataDir, 'deep', 'secret')
  await writeWhole(file, 'one')
  await writeWhole(file, 'two')
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['two', 0o600])
  const blocked = join(folder.dataDir, 'deep', 'folder')
  await mkdir(join(blocked, 'inside'), { recursive: true })
  await expect(writeWhole(blocked, 'three')).rejects.toMatchObject({ path: blocked })
  expect((await readdir(join(folder.dataDir, 'deep'))).sort()).toEqual(['folder', 'secret'])
})
