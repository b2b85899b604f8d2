import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Received = { from: string; parts: readonly string[] }

/** Starts a real gammu-smsd whose fake phone holds the given messages. It runs `script` for each message. */
export async function startGammu(options: {
  program: string
  script: string
  phoneId: string
  env: Record<string, string>
  messages: readonly Received[]
}): Promise<AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'ringpost-gammu-'))
  const folder = (name: string) => join(root, name)
  for (const name of ['dummy/sms/1', 'inbox', 'outbox', 'sent', 'error']) await mkdir(folder(name), { recursive: true })
  let file = 0
  for (const [reference, { from, parts }] of options.messages.entries()) {
    for (const [place, part] of parts.entries()) {
      file += 1
      const header = parts.length > 1 ? udh({ reference, total: parts.length, place }) : null
      await writeFile(folder(`dummy/sms/1/${file}`), backup({ from, text: part, header }))
    }
  }
  await writeFile(folder('received'), options.script)
  await chmod(folder('received'), 0o755)
  const lines = [
    '[gammu]',
    'model = dummy',
    'connection = none',
    `device = ${folder('dummy')}`,
    '[smsd]',
    'service = files',
    'logfile = stderr',
    'checksecurity = 0',
    'loopsleep = 1',
    `phoneid = ${options.phoneId}`,
    `runonreceive = ${folder('received')}`,
    ...['inbox', 'outbox'].map((name) => `${name}path = ${folder(name)}/`),
    ...['sent', 'error'].map((name) => `${name}smspath = ${folder(name)}/`),
  ]
  await writeFile(folder('smsdrc'), lines.join('\n'))
  const env = { ...options.env, PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
  const child: ChildProcess = spawn(options.program, ['-c', folder('smsdrc')], { env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      await rm(root, { recursive: true })
    },
  }
}

function udh({ reference, total, place }: { reference: number; total: number; place: number }): string {
  return Buffer.from([5, 0, 3, reference + 1, total, place + 1])
    .toString('hex')
    .toUpperCase()
}

/** Writes an SMS in the format of gammu-smsbackup(5). */
function backup({ from, text, header }: { from: string; text: string; header: string | null }): string {
  const hex = (words: string) => Buffer.from(words, 'utf16le').swap16().toString('hex').toUpperCase()
  return [
    '[SMSBackup000]',
    'SMSC = "+77000000"',
    `SMSCUnicode = ${hex('+77000000')}`,
    'DateTime = 20260301T120000',
    'State = UnRead',
    `Number = "${from}"`,
    `NumberUnicode = ${hex(from)}`,
    `Text00 = ${hex(text)}`,
    'Coding = Unicode_No_Compression',
    'Folder = 1',
    `Length = ${text.length}`,
    'Class = -1',
    'ReplySMSC = False',
    'RejectDuplicates = False',
    'ReplaceMessage = 0',
    'MessageReference = 0',
    ...(header === null ? [] : [`UDH = ${header}`]),
    '',
  ].join('\n')
}
