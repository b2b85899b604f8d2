import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { planRights } from './run-as.ts'

const plan = (runAs: string | null, uid: number | undefined, demo = false) => planRights({ runAs, demo }, uid)

// Regression test for S-17: a service started as root kept running as root.
test('the real service is not root, and the demo may be', async () => {
  await expect(plan(null, 0)).rejects.toThrow(
    'it would run as root: set RUN_AS to a user of its own (a name or uid:gid), or start it as that user',
  )
  expect(await plan(null, 0, true)).toBeNull()
  expect(await plan(null, 1_000)).toBeNull()
  expect(await plan('nobody', 0)).toMatchObject({ uid: 65_534, gid: expect.any(Number) })
  expect(await plan('1000:1001', 0)).toEqual({ uid: 1_000, gid: 1_001, groups: [1_001] })
  expect(await plan('1000:1001', 1_000)).toBeNull()
  for (const [runAs, uid, reason] of [
    ['nobody-of-this-name', 0, 'RUN_AS names no user of this machine: nobody-of-this-name'],
    ['root', 0, 'RUN_AS must be another user than root'],
    ['1000:0', 0, 'RUN_AS must be another user than root'],
    ['1000:1000', 1_001, 'RUN_AS is another user than the one it is started as: only root can change that'],
  ] as const) {
    await expect(plan(runAs, uid), runAs).rejects.toThrow(reason)
  }
})

test('root is given up for good, with its groups', async () => {
  const module = fileURLToPath(new URL('run-as.ts', import.meta.url))
  const script = `
    const { dropRights } = await import(${JSON.stringify(module)})
    let failure = null
    try {
      dropRights({ uid: 65534, gid: 65534, groups: [65534] })
      process.setuid(0)
    } catch (error) {
      failure = error.code
    }
    console.log(JSON.stringify([process.getuid(), process.geteuid(), process.getgid(), process.getgroups(), failure]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const isRoot = process.getuid?.() === 0
  if (isRoot) expect(JSON.parse(stdout)).toEqual([65_534, 65_534, 65_534, [65_534], 'EPERM'])
  else
    expect(JSON.parse(stdout)).toEqual([
      process.getuid?.(),
      process.geteuid?.(),
      process.getgid?.(),
      expect.any(Array),
      'EPERM',
    ])
})
