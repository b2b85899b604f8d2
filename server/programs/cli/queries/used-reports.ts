import type { Db } from '#server/house/db/pool.ts'

export type UsedNumbers = {
  serviceCode: string | null
  userId: number | null
  phones: readonly string[] | null
  now: Date
}

/**
 * Lifts buyers' reports that a number was already used for a service. Numbers that got no code can be sold again for
 * that service. If such a number is in one of our own ranges, its `times_offered` becomes 1.
 */
export async function liftUsedReports(tx: Db, input: UsedNumbers): Promise<{ lifted: number; restored: number }> {
  const { rows } = await tx.query<{ lifted: bigint; restored: bigint }>({
    text: `WITH named AS (
        SELECT phone, service_code FROM used_reports
        WHERE lifted_at IS NULL AND ($serviceCode::text IS NULL OR service_code = $serviceCode)
          AND ($userId::integer IS NULL OR user_id = $userId)
          AND ($phones::text[] IS NULL OR phone = ANY ($phones))
        GROUP BY phone, service_code
      ), lifted AS (
        UPDATE used_reports r SET lifted_at = $now FROM named
        WHERE r.phone = named.phone AND r.service_code = named.service_code AND r.lifted_at IS NULL
      ), restored AS (
        SELECT named.* FROM named LEFT JOIN burnt_numbers b USING (phone, service_code) WHERE b.reason IS DISTINCT FROM 'code'
      ), freed AS (
        DELETE FROM burnt_numbers b USING restored
        WHERE b.phone = restored.phone AND b.service_code = restored.service_code AND b.reason = 'used'
      ), offered AS (
        UPDATE smpp_number_uses u SET state = 'returned', times_offered = 1, changed_at = $now, restored_at = $now FROM restored
        WHERE u.phone = restored.phone AND u.service_code = restored.service_code AND u.state <> 'leased'
      )
      SELECT (SELECT count(*) FROM named) AS lifted, (SELECT count(*) FROM restored) AS restored`,
    values: input,
  })
  return { lifted: Number(rows[0]?.lifted ?? 0), restored: Number(rows[0]?.restored ?? 0) }
}
