-- Whom a number is sold to: never to two accounts between whom its messages could not be told apart.

-- What the service counts as for sharing a number, kept with the sale. Null: the service itself.
ALTER TABLE activations ADD COLUMN family text,
  -- Its messages name it for certain.
  ADD COLUMN senders_known boolean NOT NULL DEFAULT false;
ALTER TABLE rentals ADD COLUMN family text, ADD COLUMN senders_known boolean NOT NULL DEFAULT false;

-- A number is sold once at a time for one family, whoever the supplier is.
DROP INDEX activations_number_once;
CREATE UNIQUE INDEX activations_number_once ON activations (phone, (COALESCE(family, service_code)))
  WHERE state IN ('waiting', 'received', 'waiting_again');

-- Who had a number a while ago.
CREATE INDEX IF NOT EXISTS activations_number_ended ON activations (phone, ended_at)
  WHERE ended_at IS NOT NULL AND phone IS NOT NULL;
CREATE INDEX IF NOT EXISTS rentals_number_ended ON rentals (phone, ended_at)
  WHERE ended_at IS NOT NULL AND phone IS NOT NULL;

-- Whether a number is closed to this buyer for this family: somebody has it, or another account had it until 20 minutes ago,
-- and messages of the two could be taken for one another. `rents`: the number is to be this buyer's alone.
--
-- Exact for sales at the same moment. The lock lets one sale of a number at a time pass here, and is given back after its
-- commit; VOLATILE, so that the queries below see what was committed before the lock was given, where the calling statement
-- still sees what was there when it began. Whoever ends an order needs no lock: one that has just ended closes the number
-- to other accounts as one that is open does.
CREATE FUNCTION number_closed(wanted text, buyer integer, wanted_family text, known boolean, rents boolean, asked_at timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE COST 1000 AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(wanted, 56));
  RETURN EXISTS (SELECT FROM activations a
      WHERE a.phone = wanted AND a.state IN ('waiting', 'received', 'waiting_again')
        AND (rents OR COALESCE(a.family, a.service_code) = wanted_family OR NOT (known AND a.senders_known)))
    OR EXISTS (SELECT FROM rentals r WHERE r.phone = wanted AND r.state = 'active')
    OR EXISTS (SELECT FROM activations a
      WHERE a.phone = wanted AND a.ended_at > asked_at - interval '20 minutes' AND a.user_id <> buyer
        AND (COALESCE(a.family, a.service_code) = wanted_family OR NOT (known AND a.senders_known)))
    OR EXISTS (SELECT FROM rentals r
      WHERE r.phone = wanted AND r.ended_at > asked_at - interval '20 minutes' AND r.user_id <> buyer
        AND (COALESCE(r.family, r.service_code) = wanted_family OR NOT (known AND r.senders_known)));
END $$;

-- The same of an own range: what the supplier has leased, which the house has not settled yet or is about to end.
ALTER TABLE smpp_leases ADD COLUMN buyer_id integer, ADD COLUMN family text,
  ADD COLUMN senders_known boolean NOT NULL DEFAULT false;
DROP INDEX smpp_leases_one_holder;
CREATE UNIQUE INDEX smpp_leases_one_holder ON smpp_leases (phone, (COALESCE(family, service_code))) WHERE state = 'leased';
CREATE INDEX smpp_leases_number_ended ON smpp_leases (phone, ended_at) WHERE state = 'ended';
CREATE INDEX smpp_leases_ended ON smpp_leases (supplier_id, ended_at) WHERE state = 'ended';

-- `alone`: the range is exclusive. Asked while choosing, and once more with the number locked by whoever leases it: VOLATILE,
-- so that it then sees every lease that was committed before the lock was given.
CREATE FUNCTION smpp_number_closed(wanted text, buyer integer, service text, wanted_family text, known boolean, alone boolean,
  asked_at timestamptz) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 1000 AS $$
BEGIN
  RETURN EXISTS (SELECT FROM smpp_leases l WHERE l.phone = wanted AND l.state = 'leased'
      AND (alone OR COALESCE(l.family, l.service_code) = wanted_family OR NOT (known AND l.senders_known)))
    OR EXISTS (SELECT FROM smpp_leases l
      WHERE l.phone = wanted AND l.state = 'ended' AND l.ended_at > asked_at - interval '20 minutes'
        AND l.buyer_id IS DISTINCT FROM buyer
        AND (alone OR COALESCE(l.family, l.service_code) = wanted_family OR NOT (known AND l.senders_known)))
    OR EXISTS (SELECT FROM used_reports u
      WHERE u.phone = wanted AND u.service_code = service AND u.user_id = buyer AND u.lifted_at IS NULL);
END $$;
