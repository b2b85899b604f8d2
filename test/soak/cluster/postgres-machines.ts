import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEBIAN_BIN, givenToTools } from '#test/harness/postgres/debian-postgres.ts'
import { queryOnce } from '#test/harness/postgres/temporary-postgres.ts'
import { type Machine, openMachine, type Program } from './machines.ts'
import { until } from './wait.ts'

const PORT = 5432
const PATRONI_PORT = 8008
const START_LIMIT_MS = 240_000

export type PostgresMachine = { machine: Machine; program: Program; start(): void; kill(): Promise<void> }
export type PostgresMachines = {
  /** The address for `DATABASE_URL`, of both machines. */
  url: string
  pair: PostgresMachine[]
  primary(): Promise<PostgresMachine | undefined>
  /** True if one machine takes writes and each commit waits for the other. */
  isWhole(): Promise<boolean>
  switchOver(): Promise<void>
}

/** Starts two PostgreSQL that Debian's Patroni watches by its etcd. They go on with the data in the folder. */
export async function startPostgresMachines(folder: string, { isSynchronous }: { isSynchronous: boolean }) {
  const etcd = await openMachine('etcd', 5)
  const client = `http://${etcd.address}:2379`
  const peer = `http://${etcd.address}:2380`
  const etcdArgs = [
    ...['--name', 'etcd', '--data-dir', join(folder, 'etcd'), '--listen-client-urls', client],
    ...['--advertise-client-urls', client, '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd=${peer}`],
  ]
  etcd.start(['etcd', ...etcdArgs], { log: join(folder, 'etcd.log') })
  const machines = [await openMachine('pg1', 21), await openMachine('pg2', 22)]
  const pair: PostgresMachine[] = []
  for (const machine of machines) {
    pair.push(await startPatroni(machine, { folder, etcd: etcd.address, isSynchronous }))
    // The first one makes the database, the second one copies it.
    await until(() => isReady(machine), START_LIMIT_MS, `${machine.name} does not start`)
  }
  const hosts = machines.map(({ address }) => `${address}:${PORT}`).join(',')
  const primary = async () => {
    const leads = await Promise.all(machines.map((machine) => says(machine, 'primary')))
    return pair[leads.indexOf(true)]
  }
  const found = await until(primary, START_LIMIT_MS, 'no PostgreSQL leads')
  const mode = { method: 'PATCH', body: JSON.stringify({ synchronous_mode: isSynchronous }) }
  await fetch(`http://${found.machine.address}:${PATRONI_PORT}/config`, mode)
  await makeDatabase(found.machine.address)
  return {
    url: `postgres://ringpost@${hosts}/ringpost?target_session_attrs=read-write`,
    pair,
    primary,
    async isWhole() {
      const follows = isSynchronous ? 'synchronous' : 'replica'
      const [leads, followers] = await Promise.all(
        ['primary', follows].map((role) => Promise.all(machines.map((machine) => says(machine, role)))),
      )
      return leads?.filter(Boolean).length === 1 && followers?.filter(Boolean).length === 1
    },
    async switchOver() {
      const leader = await until(primary, START_LIMIT_MS, 'no PostgreSQL leads')
      await fetch(`http://${leader.machine.address}:${PATRONI_PORT}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.machine.name }),
        signal: AbortSignal.timeout(20_000),
      })
    },
  } satisfies PostgresMachines
}

async function says({ address }: Machine, role: string): Promise<boolean> {
  const signal = AbortSignal.timeout(1_000)
  return fetch(`http://${address}:${PATRONI_PORT}/${role}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const isReady = (machine: Machine) => says(machine, 'health')

async function makeDatabase(host: string): Promise<void> {
  const url = (name: string) => `postgres://postgres:soak@${host}:${PORT}/${name}`
  const role = `DO $$ BEGIN IF to_regrole('ringpost') IS NULL THEN CREATE ROLE ringpost LOGIN; END IF; END $$`
  await queryOnce(url('postgres'), role)
  const made = await queryOnce(url('postgres'), `SELECT FROM pg_database WHERE datname = 'ringpost'`)
  if (made.length === 0) await queryOnce(url('postgres'), 'CREATE DATABASE ringpost OWNER ringpost')
}

type Wish = { folder: string; etcd: string; isSynchronous: boolean }

async function startPatroni(machine: Machine, { folder, etcd, isSynchronous }: Wish): Promise<PostgresMachine> {
  const place = join(folder, machine.name)
  await mkdir(place, { recursive: true, mode: 0o700 })
  await givenToTools(place)
  const { name, address } = machine
  // Patroni reads JSON as YAML.
  const settings = {
    scope: 'soak',
    name,
    restapi: { listen: `${address}:${PATRONI_PORT}`, connect_address: `${address}:${PATRONI_PORT}` },
    etcd3: { host: `${etcd}:2379` },
    bootstrap: {
      dcs: {
        // Fail-over within seconds. Patroni's defaults are three times as long.
        ttl: 9,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 150, fsync: 'off', jit: 'off' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:${PORT}`,
      connect_address: `${address}:${PORT}`,
      data_dir: join(place, 'data'),
      bin_dir: DEBIAN_BIN,
      pgpass: join(place, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: 'soak' },
        replication: { username: 'follower', password: 'soak' },
      },
      parameters: { unix_socket_directories: place },
      pg_hba: ['local all all trust', 'host all all 10.77.0.0/24 trust', 'host replication all 10.77.0.0/24 trust'],
      // An old primary with commits that nobody has is copied anew.
      remove_data_directory_on_diverged_timelines: true,
      remove_data_directory_on_rewind_failure: true,
    },
  }
  const file = join(place, 'patroni.yml')
  await writeFile(file, JSON.stringify(settings))
  await givenToTools(file)
  const launch = () =>
    machine.start(['patroni', file], { log: join(folder, `${name}.log`), asNobody: true, env: { LC_ALL: 'C.UTF-8' } })
  const running = {
    machine,
    program: launch(),
    start() {
      running.program = launch()
    },
    /** Loses the machine's processes at once, as a lost machine does. */
    async kill() {
      await running.program.kill()
      const [pid = ''] = (await readFile(join(place, 'data', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
  }
  return running
}
