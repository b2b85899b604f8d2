-- A number that was leased for an attempt and given back before anybody was shown it. Nobody waits for messages on it, so it
-- closes nothing, and counts as no offer.
ALTER TABLE smpp_leases DROP CONSTRAINT smpp_leases_ending;
ALTER TABLE smpp_leases ADD CONSTRAINT smpp_leases_ending
  CHECK (ending IN ('finished', 'cancelled', 'expired', 'used', 'unsold'));

-- As in 0056, but for those. `smpp_leases_ended` serves the stock and the search, which leave them out too.
DROP INDEX smpp_leases_number_ended, smpp_leases_ended;
CREATE INDEX smpp_leases_number_ended ON smpp_leases (phone, ended_at) WHERE state = 'ended' AND ending <> 'unsold';
CREATE INDEX smpp_leases_ended ON smpp_leases (supplier_id, ended_at) WHERE state = 'ended' AND ending <> 'unsold';

CREATE OR REPLACE FUNCTION smpp_number_closed(wanted text, buyer integer, service text, wanted_family text, known boolean,
  alone boolean, asked_at timestamptz) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 1000 AS $$
BEGIN
  RETURN EXISTS (SELECT FROM smpp_leases l WHERE l.phone = wanted AND l.state = 'leased'
      AND (alone OR COALESCE(l.family, l.service_code) = wanted_family OR NOT (known AND l.senders_known)))
    OR EXISTS (SELECT FROM smpp_leases l
      WHERE l.phone = wanted AND l.state = 'ended' AND l.ending <> 'unsold' AND l.ended_at > asked_at - interval '20 minutes'
        AND l.buyer_id IS DISTINCT FROM buyer
        AND (alone OR COALESCE(l.family, l.service_code) = wanted_family OR NOT (known AND l.senders_known)))
    OR EXISTS (SELECT FROM used_reports u
      WHERE u.phone = wanted AND u.service_code = service AND u.user_id = buyer AND u.lifted_at IS NULL);
END $$;
