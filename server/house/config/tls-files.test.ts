import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeCertificates } from '#test/fakes/smpp/smpp-certificates.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { followTlsFiles, readTlsFiles, type TlsTexts } from './tls-files.ts'

const openssl = requireProgram('openssl')

test.skipIf(openssl === undefined)('files are applied when they hold something new that fits together', async () => {
  if (openssl === undefined) throw new Error('openssl is missing')
  const [first, second] = [makeCertificates(openssl).server, makeCertificates(openssl).server]
  await using folder = await temporaryFolder()
  const paths = { cert: folder.path('cert.pem'), key: folder.path('key.pem') }
  const write = async ({ cert, key }: { cert: string; key: string }) => {
    await writeFile(paths.cert, cert)
    await writeFile(paths.key, key)
  }
  await write(first)
  const log = recordingLog()
  const applied: TlsTexts[] = []
  const look = followTlsFiles({
    paths,
    texts: await readTlsFiles(paths),
    log,
    apply: (texts) => {
      applied.push(texts)
    },
  })
  await look()
  await write(first)
  await look()
  expect(applied).toEqual([])

  for (const broken of [
    { ...second, key: first.key },
    { ...first, cert: '' },
    { cert: '', key: '' },
  ]) {
    await write(broken)
    await look()
    await look()
  }
  expect(applied).toEqual([])
  const problems = log.lines.filter(({ sentence }) => sentence === 'a renewed certificate is not used')
  expect(problems).toHaveLength(2)
  expect(JSON.stringify(log.lines)).not.toContain('PRIVATE KEY')

  await write(second)
  await look()
  await look()
  expect(applied).toMatchObject([second])
  await expect(readTlsFiles({ ...paths, ca: folder.path('nothing.pem') })).rejects.toThrow('nothing.pem')
})
