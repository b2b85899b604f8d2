import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TestCertificates = {
  ca: string
  server: { cert: string; key: string }
  client: { cert: string; key: string }
}

/** Makes a certificate authority, and certificates of a server (127.0.0.1, localhost) and a client signed by it. */
export function makeCertificates(openssl: string): TestCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'ringpost-smpp-ca-'))
  const run = (...words: string[]) => execFileSync(openssl, words, { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    run('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test CA')
    writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
    for (const name of ['server', 'client']) {
      run('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
      const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
      run('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...signed)
    }
    return {
      ca: read('ca.pem'),
      server: { cert: read('server.pem'), key: read('server.key') },
      client: { cert: read('client.pem'), key: read('client.key') },
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
