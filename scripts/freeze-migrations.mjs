import { writeFile } from 'node:fs/promises'
import { LIST, readChecksums } from './checks/frozen-migrations.mjs'

const { files, frozen } = await readChecksums()
const all = [...new Map([...files, ...frozen])].sort(([a], [b]) => (a < b ? -1 : 1))
await writeFile(LIST, all.map(([name, checksum]) => `${checksum}  ${name}\n`).join(''))
for (const name of files.keys()) if (!frozen.has(name)) console.log(`noted ${name}`)
